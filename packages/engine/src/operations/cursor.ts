import { address as brand, formatAddress, parseAddress, type Address, type JsonObject } from "@rea/core";
import type { BinaryImage } from "@rea/binary";
import type { MappedMemory } from "./mapped-memory.js";
import type { ImageQuery } from "./query.js";
import { invalidInput, outsideMappings } from "./refusals.js";

/** Where a session's cursor starts: the entry point, else the lowest code, else the lowest mapped address. */
export function initialCursor(image: BinaryImage, memory: MappedMemory): Address | undefined {
  const entry = image.entryPoints().items.find((point) => point.kind === "entry");
  if (entry !== undefined && memory.isMapped(entry.va)) return entry.va;
  const code = image.sections().items.flatMap(({ kind, va }) => (kind === "code" && va !== undefined ? [va] : []));
  const executable = image.segments().items.flatMap((segment) => (segment.executable ? [segment.va] : []));
  return lowestMapped(code, memory) ?? lowestMapped(executable, memory) ?? memory.lowest;
}

function lowestMapped(addresses: readonly Address[], memory: MappedMemory): Address | undefined {
  const mapped = addresses.filter((va) => memory.isMapped(va));
  return mapped.length === 0 ? undefined : mapped.reduce((lowest, va) => (va < lowest ? va : lowest));
}

/** An address that parsing has already accepted. */
export function givenAddress(text: string): Address {
  return parseAddress(text) ?? brand(0);
}

/** An address that must lie in a mapped range; `path` names the input. */
export function mappedAddress(query: ImageQuery, text: string, where: { operation: string; path: string }): Address {
  const va = givenAddress(text);
  if (!query.memory.isMapped(va)) throw outsideMappings(where.operation, where.path);
  return va;
}

/** The given address, or the cursor; `resolved` holds the address when the cursor stood in for it. */
export function addressOrCursor(
  query: ImageQuery,
  text: string | undefined,
  operation: string,
): { readonly va: Address; readonly resolved: JsonObject } {
  if (text !== undefined) return { va: givenAddress(text), resolved: {} };
  if (query.cursor !== undefined) return { va: query.cursor, resolved: { address: formatAddress(query.cursor) } };
  throw noCursor(operation);
}

export function noCursor(operation: string): Error {
  return invalidInput(operation, "The target maps no addresses, so there is no cursor. Pass an address.", {
    path: "address",
    reason: "missing_argument",
    expected: "an address such as 0x401000",
  });
}
