/** The frame: which page, which panels, and where they stand. Panels know nothing of one another; this file does. */
import * as Tooltip from "@radix-ui/react-tooltip";
import { useEffect } from "react";
import { AddPalette } from "@/add/AddPalette.tsx";
import { Commands } from "@/frame/Commands.tsx";
import { Help } from "@/frame/Help.tsx";
import { Uploads } from "@/frame/Uploads.tsx";
import { useShortcuts } from "@/frame/useShortcuts.ts";
import { Home } from "@/home/Home.tsx";
import { useHouse } from "@/state/house.ts";
import { applyTheme, flowIdIn, useView } from "@/state/view.ts";
import { NoticeBar } from "@/ui/Notice.tsx";
import { Editor } from "./Editor.tsx";

export function App() {
  const flowId = useView((view) => view.flowId);
  const theme = useView((view) => view.theme);
  const notice = useView((view) => view.notice);
  const load = useHouse((house) => house.load);
  useShortcuts();
  useEffect(() => {
    void load();
    const back = () => useView.setState({ flowId: flowIdIn(window.location.pathname), selected: [] });
    window.addEventListener("popstate", back);
    return () => window.removeEventListener("popstate", back);
  }, [load]);
  useEffect(() => applyTheme(theme), [theme]);
  return (
    <Tooltip.Provider delayDuration={250}>
      {flowId === null ? <Home /> : <Editor key={flowId} flowId={flowId} />}
      {flowId !== null && <AddPalette />}
      <Commands />
      <Help />
      <Uploads />
      {notice && (
        <NoticeBar
          key={notice.text}
          text={notice.text}
          hint={notice.hint}
          bad={notice.tone === "bad"}
          action={notice.action}
          onClose={clearNotice}
        />
      )}
    </Tooltip.Provider>
  );
}

const clearNotice = () => useView.setState({ notice: null });
