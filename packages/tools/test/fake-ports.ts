import {
  operations,
  pageOf,
  ReaError,
  type CapabilityPorts,
  type Evidence,
  type Execution,
  type Omission,
  type OperationName,
  type OperationPorts,
} from "@rea/core";
import { invoke, type Tool, type ToolHost } from "@rea/tool";

const sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** An execution of the bound fake provider. */
export function executed<R>(result: R, more: Partial<Execution<R>> = {}): Execution<R> {
  return {
    result,
    raw_result: null,
    provider: { id: "fake", name: "Fake", version: "1" },
    analysis_profile: null,
    subject: { name: "app", digest: { sha256 }, format: "elf", architecture: "x86_64", local_path: "/app" },
    confidence: "observed",
    limitations: [],
    locations: [],
    resolved_parameters: {},
    ...more,
  };
}

/** A small program written by hand: everything the tools under test can ask about. */
export interface FakeProgram {
  /** Callees of each procedure by entry address; a procedure that is missing here cannot be read. */
  readonly calls?: { readonly [address: string]: readonly string[] };
  readonly names?: readonly { readonly address: string; readonly value: string; readonly source?: string }[];
  readonly strings?: readonly { readonly address: string; readonly value: string }[];
  readonly procedures?: readonly { readonly address: string; readonly value: string; readonly entry?: boolean }[];
  readonly xrefs?: { readonly [address: string]: readonly string[] };
  /** Procedure around an address. */
  readonly containing?: { readonly [address: string]: string };
  /** What the lists of references and calls say they leave out. */
  readonly notExamined?: readonly Omission[];
  /** Items of a page at most, whatever the caller asks for. */
  readonly pageSize?: number;
}

export class FakeHost implements ToolHost {
  readonly ports: CapabilityPorts;
  readonly asked: OperationName[] = [];
  readonly records: Evidence[] = [];
  readonly #offered: ReadonlySet<string>;

  constructor(ports: Partial<OperationPorts>) {
    const offered: unknown[][] = Object.entries(ports).map(([name, port]) => [
      name,
      (params: never, context: never) => this.#note(name, () => port(params, context)),
    ]);
    const missing: unknown[][] = Object.keys(operations).map((name) => [name, () => Promise.reject(notOffered(name))]);
    this.#offered = new Set(Object.keys(ports));
    this.ports = Object.fromEntries([...missing, ...offered]);
  }

  #note<R>(name: string, call: () => R): R {
    const known = Object.keys(operations).find((operation): operation is OperationName => operation === name);
    if (known !== undefined) this.asked.push(known);
    return call();
  }

  offers(operation: OperationName): boolean {
    return this.#offered.has(operation);
  }

  requireAvailable(): void {
    // Everything may be tried here.
  }

  admit<T>(_tool: Tool, work: () => Promise<T>): Promise<T> {
    return work();
  }

  record(evidence: Evidence): Promise<void> {
    this.records.push(evidence);
    return Promise.resolve();
  }

  connected(): void {
    // Nobody connects.
  }

  /** Runs a tool and gives its result; a failure is thrown with its code. */
  async run(tool: Tool, input: unknown): Promise<unknown> {
    const reply = await this.reply(tool, input);
    if (reply.ok) return reply.value.result;
    throw new Error(`${reply.error.code}: ${reply.error.message}`);
  }

  reply(tool: Tool, input: unknown) {
    return invoke(tool, input, this, { signal: new AbortController().signal });
  }
}

export function notOffered(name: string): ReaError {
  return new ReaError("capability_unavailable", { message: `The provider does not offer ${name}.`, details: {} });
}

function unknownProcedure(): ReaError {
  return new ReaError("target_unavailable", { message: "No procedure starts there.", details: { reason: "target_not_found" } });
}

/** Ports that answer from the program. */
function portsOf(program: FakeProgram): Partial<OperationPorts> {
  const size = program.pageSize ?? Number.MAX_SAFE_INTEGER;
  const page = <S, T>(all: readonly S[], request: { offset: number; limit: number }, map: (item: S) => T) =>
    Promise.resolve(executed(pageOf(all, { offset: request.offset, limit: Math.min(request.limit, size) }, map)));
  const ofCode = (all: readonly string[], request: { offset: number; limit: number }) =>
    Promise.resolve(executed(pageOf(all, { offset: request.offset, limit: Math.min(request.limit, size) }, (item) => item, program.notExamined)));
  const named = ({ address, value }: { address: string; value: string }) => ({ address, value, value_truncated: false });
  const calls = program.calls ?? {};
  const matching = (all: readonly { address: string; value: string }[], pattern: string, exactCase: boolean) =>
    all.filter(({ value }) => (exactCase ? value.includes(pattern) : value.toLowerCase().includes(pattern.toLowerCase())));
  return {
    procedure_callees: ({ procedure, ...request }) => {
      const callees = calls[procedure];
      return callees === undefined ? Promise.reject(unknownProcedure()) : ofCode(callees, request);
    },
    procedure_callers: ({ procedure, ...request }) =>
      ofCode(Object.keys(calls).filter((caller) => calls[caller]?.includes(procedure)), request),
    address_name: ({ address }) => Promise.resolve(executed(program.names?.find((item) => item.address === address)?.value ?? null)),
    list_names: ({ address, ...request }) =>
      page((program.names ?? []).filter((item) => address === undefined || item.address === address), request, (item) => ({
        ...named(item),
        symbol: { kind: "function", binding: "global", source: item.source ?? "symtab", library: null },
      })),
    list_strings: (request) =>
      page(program.strings ?? [], request, (item) => ({
        ...named(item),
        string: { encoding: "ascii" as const, byte_length: item.value.length, terminated: true },
      })),
    list_procedures: (request) =>
      page(program.procedures ?? [], request, (item) => ({
        ...named(item),
        procedure: {
          size: 16,
          sources: item.entry === true ? ["entry" as const] : ["symbol" as const],
          name_source: "symbol" as const,
          external: false,
          thunk: false,
          thunk_target: null,
        },
      })),
    list_segments: (request) => page(["text", "data", "bss"], request, segment),
    search_strings: ({ pattern, case_sensitive, ...request }) =>
      page(matching(program.strings ?? [], pattern, case_sensitive), request, named),
    search_procedures: ({ pattern, case_sensitive, ...request }) =>
      page(matching(program.procedures ?? [], pattern, case_sensitive), request, named),
    xrefs: ({ address, ...request }) => ofCode(program.xrefs?.[address] ?? [], request),
    resolve_containing_procedure: ({ address }) => {
      const procedure = program.containing?.[address];
      if (procedure === undefined) {
        return Promise.resolve(executed({ found: false, query_address: address, reason: "not_in_procedure", procedure: null }));
      }
      const name = program.procedures?.find((item) => item.address === procedure)?.value ?? "sub";
      return Promise.resolve(executed({ found: true, query_address: address, procedure: { address: procedure, name } }));
    },
  };
}

function segment(name: string) {
  return {
    name,
    start: "0x1000",
    end: "0x2000",
    readable: true,
    writable: false,
    executable: true,
    permissions: "r-x",
    sections: [],
    provenance: "program headers",
  };
}

export function hostOf(program: FakeProgram, more: Partial<OperationPorts> = {}): FakeHost {
  return new FakeHost({ ...portsOf(program), ...more });
}

/** A host whose provider lacks some operations. */
export function hostWithout(program: FakeProgram, missing: readonly OperationName[]): FakeHost {
  const offered = Object.entries(portsOf(program)).filter(([name]) => !missing.some((other) => other === name));
  return new FakeHost(Object.fromEntries(offered));
}
