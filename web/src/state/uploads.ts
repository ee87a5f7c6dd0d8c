/** Files on their way into the data folder: how far each is, and what to do about a name that is taken. */
import { create } from "zustand";
import { ApiError } from "@/api/client.ts";
import type { FileInfo } from "@/api/types.ts";
import { upload } from "@/api/upload.ts";
import { freeName, isTable, plainName } from "@/flow/brought.ts";
import { counted } from "@/flow/look.ts";
import { useHouse } from "./house.ts";
import { report } from "./report.ts";
import { useView } from "./view.ts";

type Answer = "replace" | "both" | "leave";

interface Uploads {
  /** The file under way and its share, 0 to 1. */
  sending: { name: string; share: number; stop: () => void } | null;
  /** The file whose name is taken, waiting for a person's word. */
  question: { name: string; decide: (answer: Answer) => void } | null;
  /** Bring files, one after the other; returns those that are there now. */
  bring: (files: File[]) => Promise<FileInfo[]>;
}

export const useUploads = create<Uploads>(() => ({
  sending: null,
  question: null,
  bring: async (files) => {
    const tables = files.filter((file) => isTable(file.name));
    const strange = files.find((file) => !isTable(file.name));
    if (strange)
      useView.getState().say({
        text: `“${strange.name}” is not a table that can be read here.`,
        hint: "Bring CSV, Excel, Parquet or JSON lines files.",
        tone: "bad",
      });
    const kept: FileInfo[] = [];
    for (const file of tables) {
      const info = await one(file).catch((error: unknown) => {
        report(error);
        return null;
      });
      if (info) kept.push(info);
    }
    useUploads.setState({ sending: null, question: null });
    if (kept.length > 0) {
      await useHouse.getState().loadFiles();
      useHouse.getState().forget(kept.map((info) => info.path));
      if (!strange)
        useView.getState().say({
          text:
            kept.length === 1
              ? `${kept[0]?.name} is in the data folder`
              : `${counted(kept.length, "file")} are in the data folder`,
          tone: "plain",
        });
    }
    return kept;
  },
}));

async function one(file: File): Promise<FileInfo | null> {
  const name = plainName(file.name);
  const taken = () => new Set((useHouse.getState().files ?? []).map((info) => info.path));
  try {
    if (!taken().has(name)) return await send(file, name, false);
  } catch (error) {
    // Somebody else has put one there since the list was read.
    if (!(error instanceof ApiError) || error.fault.code !== "file_exists") throw error;
  }
  const answer = await ask(name);
  if (answer === "leave") return null;
  return answer === "replace" ? send(file, name, true) : send(file, freeName(name, taken().add(name)), false);
}

function send(file: File, name: string, overwrite: boolean): Promise<FileInfo | null> {
  const abort = new AbortController();
  const tell = (share: number) => useUploads.setState({ sending: { name, share, stop: () => abort.abort() } });
  tell(0);
  return upload(file, name, { overwrite, signal: abort.signal, onProgress: tell });
}

function ask(name: string): Promise<Answer> {
  return new Promise((done) => {
    const decide = (answer: Answer) => {
      useUploads.setState({ question: null });
      done(answer);
    };
    useUploads.setState({ question: { name, decide } });
  });
}
