/** The ports of a card: shape and tint say the type, a ring says whether an edge being drawn may end here. */
import { Handle, Position } from "@xyflow/react";
import type { CSSProperties } from "react";
import { portLook } from "@/flow/look.ts";
import type { PortSpec } from "@/flow/nodeType.ts";
import { CARD_HEIGHT } from "@/flow/placement.ts";
import { useView } from "@/state/view.ts";
import { Icon } from "@/ui/Icon.tsx";
import { useDrawing } from "./drawing.ts";

interface Props {
  nodeId: string;
  ports: PortSpec[];
  end: "in" | "out";
  connected: string;
  still: boolean;
}

/** They stand where they stand on a card of the usual height: one that grows for a moment does not bend its edges. */
export function Ports({ nodeId, ports, end, connected, still }: Props) {
  const used = new Set(connected.split(" "));
  return ports.map((port, index) => (
    <Port
      key={port.name}
      nodeId={nodeId}
      port={port}
      end={end}
      used={used.has(`${end}:${port.name}`)}
      top={`${Math.round(((index + 1) / (ports.length + 1)) * CARD_HEIGHT)}px`}
      labelled={ports.length > 1}
      still={still}
    />
  ));
}

interface PortProps {
  nodeId: string;
  port: PortSpec;
  end: "in" | "out";
  used: boolean;
  top: string;
  labelled: boolean;
  still: boolean;
}

function Port({ nodeId, port, end, used, top, labelled, still }: PortProps) {
  const verdict = useDrawing((drawing) => drawing.verdicts?.[`${end}/${nodeId}/${port.name}`]);
  const look = portLook(port.type);
  const name = port.title || port.name;
  const style = { top, "--port": look.tint } as CSSProperties;
  const side = end === "in" ? "left" : "right";
  return (
    <>
      <Handle
        id={port.name}
        type={end === "in" ? "target" : "source"}
        position={end === "in" ? Position.Left : Position.Right}
        isConnectable={!still}
        role="img"
        title={verdict || `${name}: ${port.type}`}
        aria-label={`${end === "in" ? "Input" : "Output"} ${name}, ${port.type}`}
        data-shape={look.shape}
        data-connected={used}
        data-fits={verdict === undefined ? undefined : verdict === "" ? "yes" : "no"}
        style={style}
      />
      {labelled && (
        <span
          style={{ top }}
          className={`pointer-events-none absolute ${side === "left" ? "right-full mr-2.5" : "left-full ml-2.5"} -translate-y-[130%] rounded-sm bg-(--canvas) px-1 text-2xs text-muted transition-opacity ${used ? "opacity-0 group-hover/card:opacity-100" : ""}`}
        >
          {name}
        </span>
      )}
      {end === "out" && !still && port.type === "table" && (
        <button
          type="button"
          style={{ top }}
          tabIndex={-1}
          title="Add what comes next (/)"
          aria-label={`Add a node after ${name}`}
          onClick={(event) => {
            event.stopPropagation();
            useView.getState().set({ adding: { from: { node: nodeId, port: port.name } } });
          }}
          className="nodrag nopan absolute left-full ml-3 flex size-5 -translate-y-1/2 items-center justify-center rounded-full border border-line bg-raised text-muted opacity-0 transition-opacity group-hover/card:opacity-100 group-data-selected/card:opacity-100 hover:border-accent hover:text-accent"
        >
          <Icon name="plus" size={12} />
        </button>
      )}
    </>
  );
}
