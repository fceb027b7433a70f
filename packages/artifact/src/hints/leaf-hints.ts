import type { ByteSource, SubjectFormat } from "@rea/core";
import type { Turns } from "../walk/turns.js";
import type { FoundHint } from "./found-hint.js";
import { mayCarryPayload, programHints } from "./program-hints.js";
import { isScript, scriptHints } from "./script-hints.js";

/** Whether a leaf of a format, with its first bytes, may carry something that is worth a look. */
export function mayCarry(format: SubjectFormat, head: Uint8Array): boolean {
  return mayCarryPayload(format) || isScriptLeaf(format, head);
}

/** What a leaf carries beside being what it is. */
export async function leafHints(format: SubjectFormat, source: ByteSource, turns: Turns): Promise<readonly FoundHint[]> {
  if (mayCarryPayload(format)) return programHints(source, turns);
  return source.size >= 2 && isScriptLeaf(format, source.read(0, 2)) ? scriptHints(source) : [];
}

function isScriptLeaf(format: SubjectFormat, head: Uint8Array): boolean {
  return (format === "file" || format === "unknown") && isScript(head);
}
