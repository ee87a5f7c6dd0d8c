/** Sends a file to the data folder, part by part, so that a large one is never held whole in memory. */
import { api } from "./client.ts";
import type { FileInfo } from "./types.ts";

const PART = 6_000_000;

interface Sending {
  /** Called with the share that has arrived, 0 to 1. */
  onProgress: (share: number) => void;
  overwrite: boolean;
  signal: AbortSignal;
}

/** Return the file as it lies in the data folder; null: it was given up. */
export async function upload(file: File, path: string, how: Sending): Promise<FileInfo | null> {
  const { upload_id } = await api.bring({ path, overwrite: how.overwrite });
  for (let at = 0; at < file.size; at += PART) {
    if (how.signal.aborted) return null;
    await api.bringPart(upload_id, { at, content: await base64(file.slice(at, at + PART)) });
    how.onProgress(Math.min(1, (at + PART) / file.size));
  }
  return how.signal.aborted ? null : api.keepBrought(upload_id);
}

function base64(part: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).replace(/^[^,]*,?/, ""));
    reader.onerror = () => fail(new Error("The file could not be read; it may have been moved or changed."));
    reader.readAsDataURL(part);
  });
}
