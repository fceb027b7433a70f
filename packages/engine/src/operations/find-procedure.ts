import { parseAddress } from "@rea/core";
import type { FunctionRecord } from "../program.js";
import type { ProgramQuery } from "./query.js";
import { ambiguousProcedure, unknownProcedure } from "./refusals.js";

/**
 * The function an input names: by entry address or exact symbol name. Throws `target_unavailable` (`target_not_found`)
 * when there is none and `invalid_request` with the candidates when several share the name.
 */
export function findProcedure(query: ProgramQuery, text: string, operation: string): FunctionRecord {
  const va = parseAddress(text);
  if (va !== undefined) return functionAt(query, va);
  const [first, ...others] = query.names.entriesNamed(text, query.checkpoint);
  if (first === undefined) throw unknownProcedure(undefined);
  if (others.length > 0) {
    throw ambiguousProcedure(
      operation,
      [first, ...others].map((entry) => query.program.toVa(entry)),
    );
  }
  return functionAt(query, query.program.toVa(first));
}

function functionAt({ program }: ProgramQuery, va: bigint): FunctionRecord {
  const rva = program.toRva(va);
  if (rva === undefined) throw unknownProcedure(undefined);
  const fn = program.functionAt(rva);
  if (fn !== undefined) return fn;
  const containing = program.functionContaining(rva);
  throw unknownProcedure(containing === undefined ? undefined : program.toVa(containing.entry));
}
