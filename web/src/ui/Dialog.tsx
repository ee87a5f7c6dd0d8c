/** A modal window on the browser's own dialog: it traps the focus, closes on Escape and gives the focus back. */
import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "./Button.tsx";

interface Props {
  open: boolean;
  onClose: () => void;
  label: string;
  /** Without a bar: the content brings its own head. */
  bare?: boolean;
  className?: string;
  children: ReactNode;
}

export function Dialog({ open, onClose, label, bare, className, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) {
      dialog.showModal();
      (dialog.querySelector<HTMLElement>("input, textarea") ?? dialog).focus();
    }
    if (!open && dialog.open) dialog.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; the click is on the veil only.
    <dialog
      ref={ref}
      aria-label={label}
      tabIndex={-1}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && ref.current?.close()}
      className={`appear w-full max-w-xl rounded-xl border border-line bg-raised p-0 text-ink shadow-pop outline-none ${className ?? ""}`}
    >
      {open && !bare && (
        <header className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
          <h2 className="text-sm font-semibold">{label}</h2>
          <IconButton icon="close" label="Close" onClick={() => ref.current?.close()} />
        </header>
      )}
      {open && children}
    </dialog>
  );
}
