import type { DeepOperationName } from "@rea/core";
import type { CapabilityDescriptor } from "@rea/provider";
import { hopperBounds, hopperDeadlines } from "./hopper-bounds.js";

/** Every operation the bridge serves, with the most items of a page; null for what is no list. */
const served: { readonly [N in DeepOperationName]?: number | null } = {
  list_documents: 500,
  current_document: null,
  set_current_document: null,
  current_address: null,
  current_procedure: null,
  goto_address: null,
  next_address: null,
  prev_address: null,
  list_segments: 500,
  list_procedures: 500,
  list_names: 500,
  list_strings: 500,
  search_procedures: 100,
  search_strings: 100,
  procedure_address: null,
  procedure_info: null,
  procedure_assembly: null,
  procedure_pseudo_code: null,
  procedure_callers: 500,
  procedure_callees: 500,
  procedure_references: 500,
  read_function_instructions: 500,
  read_bytes: null,
  address_to_file_offset: null,
  resolve_containing_procedure: null,
  xrefs: 500,
  address_name: null,
  comment: null,
  inline_comment: null,
  list_bookmarks: 500,
  set_address_name: null,
  set_addresses_names: null,
  set_comment: null,
  set_inline_comment: null,
  set_bookmark: null,
  unset_bookmark: null,
  analyze_function: null,
};

const inventories: readonly string[] = ["list_procedures", "list_names", "list_strings", "search_procedures", "search_strings", "function_dossier"];

/** What the target's bytes or the document fix wholly; the rest rests on recovered code and may miss some. */
const exhaustive: readonly string[] = ["list_documents", "current_document", "set_current_document", "current_address", "goto_address", "list_segments", "read_bytes", "comment", "inline_comment", "list_bookmarks"];

/** One descriptor for each operation Hopper is asked, sorted by operation. */
export function hopperCapabilities(): readonly CapabilityDescriptor[] {
  const names = servedOperations();
  return names.map((operation) => ({
    operation,
    input_contract_version: 1,
    output_contract_version: 1,
    pagination: typeof served[operation] === "number" ? "offset" : "none",
    exhaustive: exhaustive.includes(operation) || isWriting(operation),
    effects: {
      mutates_artifact: false,
      launches_process: true,
      may_show_ui: true,
      may_access_network: true,
      may_write_filesystem: false,
    },
    limits: {
      max_results: served[operation] ?? null,
      max_payload_bytes: operation === "procedure_assembly" ? hopperBounds.listingBytes : null,
      timeout_ms: deadlineOf(operation),
    },
    limitations: limitationsOf(operation),
    available: true,
    reason: null,
    availability_code: null,
  }));
}

export function servedOperations(): DeepOperationName[] {
  return keysOf(served).sort();
}

/** Milliseconds for one question to the bridge; the dossier is put together of three. */
export function deadlineOf(operation: string): number {
  const { request, decompile, inventory } = hopperDeadlines;
  if (operation === "procedure_pseudo_code") return decompile;
  if (operation === "analyze_function") return inventory + decompile + request;
  return inventories.includes(operation) ? inventory : request;
}

function isWriting(operation: string): boolean {
  return (operation.startsWith("set_") && operation !== "set_current_document") || operation === "unset_bookmark";
}

function limitationsOf(operation: string): readonly string[] {
  if (isWriting(operation)) return ["Kept in the open document only; it is never saved and goes with its engine."];
  return exhaustive.includes(operation) ? [] : ["Rests on what Hopper's own analysis recovered."];
}

function keysOf<K extends string>(of: { readonly [N in K]?: unknown }): K[] {
  const keys: K[] = [];
  for (const key in of) keys.push(key);
  return keys;
}
