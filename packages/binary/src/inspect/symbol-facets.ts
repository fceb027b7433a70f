import { pageOf, type OperationResult, type Page } from "@rea/core";
import type { BinaryImage, Table } from "../image.js";
import type { Display } from "./display.js";

type Result = OperationResult<"inspect_binary">;

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

/** One page of a table. Texts that were cut are counted after the page is made, so they enter its coverage here. */
function page<S, T>(
  table: Table<S>,
  { request, display, scope }: { readonly request: PageRequest; readonly display: Display; readonly scope: string },
  map: (item: S) => T,
): Page<T> {
  const made = pageOf(table.items, request, map, table.omissions);
  const omissions = display.omissions(table.omissions, scope);
  return { ...made, coverage: { state: omissions.length === 0 ? "complete" : "partial", omissions } };
}

/** Symbol table entries in file order, all tables one after the other. */
export function symbolsFacet(image: BinaryImage, request: PageRequest, display: Display): Result["symbols"] {
  return page(image.symbols(), { request, display, scope: "symbols" }, (symbol) => ({
    name: display.text(symbol.name),
    address: display.address(symbol.va),
    binding: symbol.binding,
    type: symbol.type,
    section: display.optionalText(symbol.section),
    library: display.optionalText(symbol.library),
    version: display.optionalText(symbol.version),
    version_default: symbol.defaultVersion ?? null,
    table: symbol.table,
    ...display.range(symbol.file),
  }));
}

/** Imports; the address is the first slot the loader fills, or the code stub where there is no slot. */
export function importsFacet(image: BinaryImage, request: PageRequest, display: Display): Result["imports"] {
  return page(image.imports(), { request, display, scope: "imports" }, (item) => ({
    name: display.optionalText(item.name),
    library: display.optionalText(item.library),
    ordinal: item.ordinal ?? null,
    version: display.optionalText(item.version),
    address: display.address(item.slots[0] ?? item.stubs[0]),
    binding: item.binding,
    type: item.type,
    delayed: item.delayed,
    ...display.range(item.file),
  }));
}

export function exportsFacet(image: BinaryImage, request: PageRequest, display: Display): Result["exports"] {
  return page(image.exports(), { request, display, scope: "exports" }, (item) => ({
    name: display.optionalText(item.name),
    address: display.address(item.va),
    ordinal: item.ordinal ?? null,
    version: display.optionalText(item.version),
    version_default: item.defaultVersion ?? null,
    forwarder: display.optionalText(item.forwarder),
    binding: item.binding,
    type: item.type,
    ...display.range(item.file),
  }));
}
