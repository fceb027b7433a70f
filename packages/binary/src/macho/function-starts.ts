import type { Findings } from "../findings.js";
import { command } from "./command-names.js";
import { LebCursor } from "./leb128.js";
import type { MachOFile } from "./macho-file.js";

/** `LC_FUNCTION_STARTS`: distances from the image base, ULEB128, ended by a zero. Thumb functions have bit 0 set. */
export function readFunctionStarts(file: MachOFile, findings: Findings): readonly bigint[] | undefined {
  const range = file.linkedit(command.functionStarts);
  if (range === undefined) return file.command(command.functionStarts) === undefined ? undefined : [];
  const starts: bigint[] = [];
  findings.attempt("function_starts", range.offset, () => {
    const cursor = new LebCursor(file.reader, range.offset, range.offset + range.size);
    let va = file.base;
    while (!cursor.done) {
      const delta = cursor.uleb();
      if (delta === 0n) return;
      va = BigInt.asUintN(64, va + delta);
      starts.push(va);
    }
  });
  return starts;
}
