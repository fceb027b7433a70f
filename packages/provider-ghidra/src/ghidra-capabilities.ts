import type { DeepOperationName } from "@rea/core";
import type { CapabilityDescriptor } from "@rea/provider";

/** Milliseconds, waiting in the queue included. */
export const requestMs = 10_000;
/** Of a request that decompiles; the decompiler itself gets 30 s of it. */
export const decompileMs = 35_000;

interface Offer {
  /** Items of one page; null for an operation that is not paged. */
  readonly page: number | null;
  /** Whether a complete answer leaves nothing out that the program has. */
  readonly exhaustive?: true;
  readonly decompiles?: true;
}

const single: Offer = { page: null };
const listing: Offer = { page: 500 };

/** What Ghidra is asked for, by operation. */
const offers = {
  list_documents: { page: 500, exhaustive: true },
  list_segments: { page: 500, exhaustive: true },
  list_procedures: listing,
  list_names: listing,
  list_strings: listing,
  search_procedures: { page: 100 },
  search_strings: { page: 100 },
  procedure_address: single,
  procedure_info: single,
  procedure_assembly: single,
  procedure_pseudo_code: { page: null, decompiles: true },
  procedure_callers: listing,
  procedure_callees: listing,
  procedure_references: listing,
  read_function_instructions: listing,
  resolve_containing_procedure: single,
  xrefs: listing,
  address_name: single,
  inspect_native_data_type: single,
  inspect_native_instruction: single,
  resolve_native_call_targets: single,
  analyze_function: { page: null, decompiles: true },
  trace_native_values: { page: null, decompiles: true },
} satisfies { readonly [N in DeepOperationName]?: Offer };

export type GhidraOperation = keyof typeof offers;

/** Those that the client puts together of several requests. */
const composed: readonly string[] = ["analyze_function", "trace_native_values"];

/** Whether the bridge has a method of this name. */
export function isBridgeMethod(operation: string): boolean {
  return isGhidraOperation(operation) && !composed.includes(operation);
}

export function isGhidraOperation(operation: string): operation is GhidraOperation {
  return Object.hasOwn(offers, operation);
}

/** One descriptor for each operation that Ghidra is asked for, sorted by operation. */
export function ghidraCapabilities(): readonly CapabilityDescriptor[] {
  return Object.keys(offers)
    .filter(isGhidraOperation)
    .sort()
    .map((operation) => descriptor(operation, offers[operation]));
}

function descriptor(operation: GhidraOperation, offer: Offer): CapabilityDescriptor {
  const exhaustive = offer.exhaustive === true;
  return {
    operation,
    input_contract_version: 1,
    output_contract_version: 1,
    pagination: offer.page === null ? "none" : "offset",
    exhaustive,
    effects: {
      mutates_artifact: false,
      launches_process: true,
      may_show_ui: false,
      may_access_network: false,
      // The private project, removed when the target is closed.
      may_write_filesystem: true,
    },
    limits: {
      max_results: offer.page,
      max_payload_bytes: 1024 * 1024,
      timeout_ms: offer.decompiles === true ? decompileMs : requestMs,
    },
    limitations: exhaustive ? [] : ["Rests on Ghidra's automatic analysis with its default analyzers; what only run time decides is not seen."],
    available: true,
    reason: null,
    availability_code: null,
  };
}
