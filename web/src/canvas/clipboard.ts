/** The last copy taken from a canvas in this page. */
import type { Clip } from "@/flow/operations.ts";

export const clipboard: { clip: Clip | null } = { clip: null };
