import type { DeepOperationName } from "@rea/core";

/** Where in a fixture the questions point: the entry of a function with a body. */
export interface ProviderPlace {
  readonly procedure: string;
  readonly address: string;
  /** A name of list_documents. */
  readonly document: string;
}

/** One valid input for every deep operation, before parsing. */
export function providerQuestion(operation: DeepOperationName, { procedure, address, document }: ProviderPlace): object {
  const questions: { readonly [N in DeepOperationName]: object } = {
    list_documents: {},
    current_document: {},
    set_current_document: { document },
    current_address: {},
    current_procedure: {},
    goto_address: { address },
    next_address: { address },
    prev_address: { address },
    list_segments: {},
    list_procedures: {},
    list_names: {},
    list_strings: {},
    search_procedures: { pattern: "a" },
    search_strings: { pattern: "[a-z]{4}", mode: "regex" },
    search_bytes: { pattern: "00 ?? 00" },
    procedure_address: { procedure },
    procedure_info: { procedure },
    procedure_assembly: { procedure },
    procedure_pseudo_code: { procedure },
    procedure_callers: { procedure },
    procedure_callees: { procedure },
    procedure_references: { procedure, direction: "incoming" },
    read_function_instructions: { procedure },
    read_bytes: { address, length: 16 },
    address_to_file_offset: { address },
    resolve_containing_procedure: { address },
    xrefs: { address },
    address_name: { address },
    comment: { address },
    inline_comment: { address },
    list_bookmarks: {},
    set_address_name: { address, name: "contract_suite" },
    set_addresses_names: { names: [{ address, name: "contract_suite" }] },
    set_comment: { address, comment: "contract suite" },
    set_inline_comment: { address, comment: "contract suite" },
    set_bookmark: { address, name: "contract suite" },
    unset_bookmark: { address },
    inspect_native_instruction: { address },
    resolve_native_call_targets: { address },
    inspect_native_data_type: { address },
    trace_native_values: { procedure },
    analyze_function: { procedure, include_assembly: true },
    summarize_program: {},
    fingerprint_functions: {},
    get_objc_classes: {},
    get_objc_protocols: { pattern: "a" },
    analyze_swift_types: {},
    inspect_native_dispatch_metadata: { limit: 5 },
  };
  return questions[operation];
}
