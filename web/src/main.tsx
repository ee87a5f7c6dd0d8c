/** The mount: puts the app into the page and owns nothing else. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import "./style.css";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element #root to mount the app in.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
