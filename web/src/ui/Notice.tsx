/** The one quiet notice at the foot of the page. A new one takes the place of the old: they never pile up. */
import { useEffect } from "react";
import { Button, IconButton } from "./Button.tsx";
import { Icon } from "./Icon.tsx";

interface Props {
  text: string;
  hint?: string | undefined;
  bad?: boolean;
  action?: { label: string; run: () => void } | undefined;
  onClose: () => void;
}

export function NoticeBar({ text, hint, bad, action, onClose }: Props) {
  useEffect(() => {
    const timer = setTimeout(onClose, bad ? 12_000 : 6_000);
    return () => clearTimeout(timer);
  }, [bad, onClose]);
  return (
    <div
      role={bad ? "alert" : "status"}
      className="appear fixed bottom-14 left-1/2 z-50 flex max-w-xl -translate-x-1/2 items-start gap-2 rounded-lg border border-line bg-raised py-2 pr-2 pl-3 shadow-pop"
    >
      <Icon name={bad ? "alert" : "check"} className={`mt-1.5 ${bad ? "text-bad" : "text-ok"}`} />
      <div className="py-1 text-sm">
        <p>{text}</p>
        {hint && <p className="text-muted">{hint}</p>}
      </div>
      {action && (
        <Button
          weight="quiet"
          small
          className="text-accent"
          onClick={() => {
            action.run();
            onClose();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss this notice" small className="mt-0.5" onClick={onClose} />
    </div>
  );
}
