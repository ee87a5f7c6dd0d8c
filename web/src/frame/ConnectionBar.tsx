/** Says that the server cannot be reached, while it is so and no sooner than it matters. */
import { useEffect, useState } from "react";
import { useView } from "@/state/view.ts";

export function ConnectionBar() {
  const lost = useView((view) => view.connection === "lost");
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), 1_500);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <div role="status" className="row-start-2">
      {shown && (
        <p className="bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
          Headrace does not answer. This page reconnects by itself; what you applied is kept.
        </p>
      )}
    </div>
  );
}
