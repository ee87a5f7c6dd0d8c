/** Turns a failed request into the one quiet notice. */
import { ApiError } from "@/api/client.ts";
import type { Fault } from "@/api/types.ts";
import { useView } from "./view.ts";

/** Return what went wrong, in words for a person. */
export function faultIn(error: unknown): Fault {
  if (error instanceof ApiError) return error.fault;
  const message = error instanceof Error ? error.message : String(error);
  return { code: "error", message: `Something went wrong in this page: ${message}`, hint: "Reload the page." };
}

/** Show a failure as a notice. */
export function report(error: unknown): void {
  const fault = faultIn(error);
  useView.getState().say({ text: fault.message, hint: fault.hint, tone: "bad" });
}

/** Return what a request answers; null, and a notice, when it fails. */
export async function tried<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    report(error);
    return null;
  }
}
