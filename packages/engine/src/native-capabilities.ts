import type { DeepOperationName } from "@rea/core";
import type { CapabilityDescriptor } from "@rea/provider";
import { nativeOperationNames } from "./native-operations.js";

const paged: { readonly [N in DeepOperationName]?: number } = {
  list_documents: 500,
  list_segments: 500,
  list_procedures: 500,
  list_names: 500,
  list_strings: 500,
  list_bookmarks: 500,
  search_procedures: 100,
  search_strings: 100,
  search_bytes: 500,
  procedure_callers: 500,
  procedure_callees: 500,
  procedure_references: 500,
  read_function_instructions: 500,
  xrefs: 500,
  fingerprint_functions: 5000,
  get_objc_classes: 500,
  get_objc_protocols: 500,
  inspect_native_dispatch_metadata: 500,
};

const writing: readonly DeepOperationName[] = [
  "set_address_name",
  "set_addresses_names",
  "set_comment",
  "set_inline_comment",
  "set_bookmark",
  "unset_bookmark",
];

/** Answers that the file or the log fixes wholly; all others rest on recovered code and may miss some. */
const exhaustive: readonly DeepOperationName[] = [
  ...writing,
  "list_documents",
  "current_document",
  "current_address",
  "goto_address",
  "list_segments",
  "list_names",
  "list_bookmarks",
  "read_bytes",
  "search_bytes",
  "address_to_file_offset",
  "comment",
  "inline_comment",
  "inspect_native_data_type",
];

const metadata: readonly DeepOperationName[] = [
  "get_objc_classes",
  "get_objc_protocols",
  "analyze_swift_types",
  "inspect_native_dispatch_metadata",
];

/** One descriptor for each operation of the deep family that the engine offers, sorted by operation. */
export function nativeCapabilities(): readonly CapabilityDescriptor[] {
  return [...nativeOperationNames].sort().map((operation) => descriptor(operation));
}

function descriptor(operation: DeepOperationName): CapabilityDescriptor {
  const isExhaustive = exhaustive.includes(operation);
  return {
    operation,
    input_contract_version: 1,
    output_contract_version: 1,
    pagination: paged[operation] === undefined ? "none" : "offset",
    exhaustive: isExhaustive,
    effects: {
      mutates_artifact: false,
      launches_process: false,
      may_show_ui: false,
      may_access_network: false,
      may_write_filesystem: writing.includes(operation),
    },
    limits: {
      max_results: paged[operation] ?? null,
      max_payload_bytes: operation === "procedure_assembly" ? 1024 * 1024 : null,
      timeout_ms: null,
    },
    limitations: limitations(operation, isExhaustive),
    available: true,
    reason: null,
    availability_code: null,
  };
}

function limitations(operation: DeepOperationName, isExhaustive: boolean): readonly string[] {
  if (operation === "analyze_function" || operation === "procedure_pseudo_code") return ["Pseudocode is written of x86_64 and arm64.", codeLimitation];
  if (metadata.includes(operation)) return ["Metadata is read from Mach-O files; elsewhere only names of symbols are."];
  return isExhaustive ? [] : [codeLimitation];
}

const codeLimitation = "Rests on code and strings recovered from the file; what only run time decides is not seen.";
