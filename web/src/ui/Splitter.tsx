/** A bar between two areas that changes the size of one, by pointer or by arrow keys. */
import { type KeyboardEvent, type PointerEvent, useRef } from "react";

interface Props {
  label: string;
  /** `x`: the bar stands and changes a width; `y`: it lies and changes a height. The sized area comes after the bar. */
  axis: "x" | "y";
  size: number;
  min: number;
  max: number;
  onSize: (size: number) => void;
}

export function Splitter({ label, axis, size, min, max, onSize }: Props) {
  const drag = useRef<{ at: number; size: number } | null>(null);
  const clamp = (value: number) => Math.round(Math.max(min, Math.min(max, value)));
  const place = (event: PointerEvent) => (axis === "x" ? event.clientX : event.clientY);
  const onKeyDown = (event: KeyboardEvent) => {
    const [more, less] = axis === "x" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key !== more && event.key !== less) return;
    event.preventDefault();
    onSize(clamp(size + (event.key === more ? 24 : -24)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved has no element of its own.
    <div
      role="separator"
      aria-label={label}
      aria-orientation={axis === "x" ? "vertical" : "horizontal"}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { at: place(event), size };
      }}
      onPointerMove={(event) => {
        if (drag.current) onSize(clamp(drag.current.size + drag.current.at - place(event)));
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
      className={`group relative z-10 shrink-0 touch-none ${axis === "x" ? "-mx-1 w-2 cursor-col-resize" : "-my-1 h-2 cursor-row-resize"}`}
    >
      <span
        className={`absolute bg-transparent transition-colors group-hover:bg-accent group-focus-visible:bg-accent ${axis === "x" ? "inset-y-0 left-1 w-px" : "inset-x-0 top-1 h-px"}`}
      />
    </div>
  );
}
