/** Files from outside the page: dropped on an area, or chosen through a button. */
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "./Button.tsx";
import { Icon } from "./Icon.tsx";

/** Return the handlers that make an area take files, and whether some are over it. */
export function useFileDrop(onFiles: (files: File[], at: { x: number; y: number }) => void) {
  const [over, setOver] = useState(false);
  const inside = useRef(0);
  const carries = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (!carries(event)) return;
      inside.current += 1;
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!carries(event)) return;
      inside.current = Math.max(0, inside.current - 1);
      if (inside.current === 0) setOver(false);
    },
    onDragOver: (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    },
    onDrop: (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      inside.current = 0;
      setOver(false);
      onFiles([...event.dataTransfer.files], { x: event.clientX, y: event.clientY });
    },
  };
  return { over, handlers };
}

/** The veil over an area that files are held over. */
export function DropVeil({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none absolute inset-2 z-20 flex items-center justify-center rounded-xl border-2 border-dashed border-accent bg-accent-soft/60">
      <p className="flex items-center gap-2 rounded-lg bg-raised px-4 py-2 text-sm font-medium shadow-pop">
        <Icon name="upload" className="text-accent" />
        {children}
      </p>
    </div>
  );
}

interface ButtonProps {
  /** What the file chooser offers. */
  accept: string;
  onFiles: (files: File[]) => void;
  small?: boolean;
  weight?: "plain" | "quiet";
  className?: string;
  children: ReactNode;
}

export function FileButton({ accept, onFiles, small, weight = "plain", className, children }: ButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        icon="upload"
        weight={weight}
        small={small ?? false}
        className={className}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple
        hidden
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
