import type { ByteSource, SubjectFormat } from "@rea/core";
import type { Turns } from "../walk/turns.js";
import type { FoundHint } from "./found-hint.js";
import { isScript, scriptHints } from "./script-hints.js";

/** Formats that are searched; slices of universal files come by themselves. */
const programs: ReadonlySet<SubjectFormat> = new Set<SubjectFormat>(["elf", "pe", "mach-o"]);

/** Whether a leaf of a format, with its first bytes, may carry something that is worth a look. */
export function mayCarry(format: SubjectFormat, head: Uint8Array): boolean {
  return programs.has(format) || isScriptLeaf(format, head);
}

/** What a leaf carries beside being what it is. */
export async function leafHints(format: SubjectFormat, source: ByteSource, turns: Turns): Promise<readonly FoundHint[]> {
  if (programs.has(format)) {
    const { programHints } = await import("./program-hints.js");
    return programHints(source, turns);
  }
  return source.size >= 2 && isScriptLeaf(format, source.read(0, 2)) ? scriptHints(source) : [];
}

function isScriptLeaf(format: SubjectFormat, head: Uint8Array): boolean {
  return (format === "file" || format === "unknown") && isScript(head);
}
