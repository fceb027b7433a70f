import { formatAddress, pageOf, type Address, type OperationParams, type OperationResult } from "@rea/core";
import { answer, type Answer } from "./answer.js";
import { addressOrCursor, mappedAddress, noCursor } from "./cursor.js";
import type { ImageQuery, ProgramQuery } from "./query.js";
import { shownName } from "./shown-text.js";

/** The one document. It is never named after the file, so that a renamed file keeps its Evidence ids. */
export const documentName = "target";

export function listDocuments(
  _query: ImageQuery,
  params: OperationParams<"list_documents">,
): Answer<OperationResult<"list_documents">> {
  return answer(pageOf([documentName], params, (name) => name));
}

export function currentDocument(): Answer<OperationResult<"current_document">> {
  return answer(documentName);
}

export function currentAddress(query: ImageQuery): Answer<OperationResult<"current_address">> {
  const { va } = addressOrCursor(query, undefined, "current_address");
  return answer(formatAddress(va), { at: va });
}

export function currentProcedure(query: ProgramQuery): Answer<OperationResult<"current_procedure">> {
  const { va } = addressOrCursor(query, undefined, "current_procedure");
  const rva = query.program.toRva(va);
  const fn = rva === undefined ? undefined : query.program.functionContaining(rva);
  const name = fn === undefined ? null : shownName(query.names.ofFunction(fn).name);
  return answer(name, { confidence: "derived", at: va, limitations: query.program.coverage.limitations });
}

export function gotoAddress(
  query: ImageQuery,
  params: OperationParams<"goto_address">,
): Answer<OperationResult<"goto_address">> {
  const va = mappedAddress(query, params.address, { operation: "goto_address", path: "address" });
  return answer(formatAddress(va), { at: va, cursor: va });
}

export function nextAddress(
  query: ProgramQuery,
  params: OperationParams<"next_address">,
): Answer<OperationResult<"next_address">> {
  return neighbour(query, params.address, "next");
}

export function previousAddress(
  query: ProgramQuery,
  params: OperationParams<"prev_address">,
): Answer<OperationResult<"prev_address">> {
  return neighbour(query, params.address, "previous");
}

function neighbour(query: ProgramQuery, text: string | undefined, direction: "next" | "previous"): Answer<string | null> {
  const { program } = query;
  const { va, resolved } = addressOrCursor(query, text, direction === "next" ? "next_address" : "prev_address");
  const found = program.neighbour(rvaForNeighbour(query, va), direction);
  const item = found === undefined ? null : formatAddress(program.toVa(found));
  return answer(item, { confidence: "derived", at: va, resolved, limitations: program.coverage.limitations });
}

/** Addresses outside the image have neighbours too: its first or last item. */
function rvaForNeighbour({ program, memory }: ProgramQuery, va: Address): number {
  const rva = program.toRva(va);
  if (rva !== undefined) return rva;
  if (memory.lowest === undefined) throw noCursor("next_address");
  return va < program.base ? -1 : Number.MAX_SAFE_INTEGER;
}
