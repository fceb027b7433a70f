import { createAnalysisProfile, createEvidence, operations, type Evidence, type OperationResult } from "@rea/core";

export type Dossier = OperationResult<"analyze_function">;

/** A bounded collection of which all items are shown, or, with a total, of which more exist. */
export function collection<T>(items: readonly T[], total: number = items.length) {
  const truncated = total > items.length;
  return { state: "available" as const, value: { items: [...items], returned: items.length, total, truncated, next_offset: truncated ? items.length : null } };
}

export function text(lines: readonly string[], truncated = false) {
  const all = lines.join("\n");
  return { state: "available" as const, value: { text: all, offset: 0, returned_chars: all.length, total_chars: all.length, truncated, next_offset: truncated ? lines.length : null } };
}

export const unavailable = { state: "unavailable" as const, reason: "Not offered.", remediation: "Bind another provider." };

export interface FunctionShape {
  readonly base?: number;
  readonly name?: string;
  /** Values that the first instruction loads; another one is another program. */
  readonly constant?: number;
  readonly pseudocode?: readonly string[] | null;
  readonly callees?: readonly (readonly [number, string | null])[];
  readonly dossier?: Partial<Dossier>;
}

const hex = (value: number): string => `0x${value.toString(16)}`;

/** A function of two blocks that prints a string, at any base: rebased copies differ in addresses alone. */
export function dossierOf({ base = 0x1000, name = "greet", constant = 7, pseudocode = ["int greet() {", "  puts(\"hello\");", "}"], callees, dossier }: FunctionShape = {}): Dossier {
  const at = (offset: number): string => hex(base + offset);
  const [string, puts] = [at(0x2000), at(0x3000)];
  return operations.analyze_function.result.parse({
    procedure: { address: at(0), name, signature: null, locals: [], classification: { external: false, thunk: false, thunk_target: null, provenance: "code of this image" } },
    pseudocode: pseudocode === null ? unavailable : text(pseudocode),
    assembly: text([
      `${at(0)}  mov eax, ${hex(constant)}`,
      `${at(5)}  lea rdi, [${string}]  ; "hello"`,
      `${at(12)}  call ${puts}  ; puts`,
      `${at(17)}  je ${at(20)}`,
      `${at(19)}  nop`,
      `${at(20)}  ret`,
    ]),
    comments: collection([]),
    callers: collection([]),
    callees: collection((callees ?? [[base + 0x3000, "puts"]]).map(([address, calleeName]) => ({ address: hex(address), name: calleeName }))),
    incoming_references: collection([]),
    outgoing_references: collection([
      { from: at(5), to: string, kind: "address", operand_index: 1 },
      { from: at(12), to: puts, kind: "call", operand_index: 0 },
      { from: at(17), to: at(20), kind: "jump", operand_index: 0 },
    ]),
    referenced_strings: collection([{ address: string, value: "hello", value_truncated: false }]),
    referenced_names: collection([{ address: puts, name: "puts" }]),
    basic_blocks: collection([
      { start: at(0), end: at(19), instruction_count: 4, successors: [{ address: at(19), kind: "fallthrough" }, { address: at(20), kind: "branch" }] },
      { start: at(19), end: at(20), instruction_count: 1, successors: [{ address: at(20), kind: "fallthrough" }] },
      { start: at(20), end: at(21), instruction_count: 1, successors: [] },
    ]),
    native_api: unavailable,
    instruction_scan: { scanned: 6, truncated: false },
    limitations: [],
    ...dossier,
  });
}

export interface RecordShape {
  readonly sha256?: string;
  readonly provider?: string;
  readonly profile?: number;
  readonly operation?: string;
}

/** The record of a dossier, or of any other result. */
export function recordOf(result: unknown, { sha256 = "a".repeat(64), provider = "rea-native", profile = 1, operation = "analyze_function" }: RecordShape = {}): Evidence {
  const identity = { id: provider, name: provider, version: "1" };
  return createEvidence({
    subject: { name: "app", digest: { sha256 }, format: "elf", architecture: "x86_64", local_path: null },
    provider: identity,
    analysis_profile: createAnalysisProfile({ provider: identity, provider_profile_schema_version: 1, parameters: { profile } }),
    operation,
    parameters: {},
    normalized_result: result,
    confidence: "derived",
    authority: "shipped-artifact",
  });
}

export const cite = ({ evidence_id }: Evidence) => ({ evidence_id, origin: "session" as const });
export const otherTarget = { sha256: "b".repeat(64) };
