import {
  deepOperations,
  isReaError,
  omission,
  type DeepOperationName,
  type Omission,
  type OperationContext,
  type OperationResult,
  type Page,
} from "@rea/core";
import { addressOf, type CallFact, type FunctionFact, type NameFact, type PlacedRange, type ProviderFacts, type TextFact } from "@rea/compare";
import type { PrivateClient } from "../private-client.js";

/** Of each kind, from each provider. */
const mostFacts = 100_000;
const pageSize = 500;

/** Asks one provider for its facts, and tells how many have come. */
export interface FactReading {
  readonly id: string;
  readonly client: PrivateClient;
  /** What the provider declares and can do now. */
  readonly offers: (operation: DeepOperationName) => boolean;
  readonly context: OperationContext;
  readonly came: (count: number) => void;
}

/** Everything but calls. Throws what the client throws. */
export async function readFacts(reading: FactReading): Promise<Omit<ProviderFacts, "calls">> {
  const omissions: Omission[] = [];
  const ranges = await readRanges(reading, omissions);
  const names: NameFact[] = [];
  const functions = await readFunctions(reading, { omissions, names });
  const listed = await readNames(reading, omissions);
  const strings = await readStrings(reading, omissions);
  return { id: reading.id, ranges, functions, names: listed === null && functions === null ? null : [...names, ...(listed ?? [])], strings, omissions };
}

export interface ReadCalls {
  readonly calls: readonly CallFact[];
  /** Callers that the provider could not answer about. */
  readonly unread: readonly bigint[];
}

/** Calls out of the given functions, in their order; null when the provider does not tell of them. */
export async function readCalls(reading: FactReading, callers: readonly bigint[]): Promise<ReadCalls | null> {
  if (!reading.offers("procedure_callees")) return null;
  const calls: CallFact[] = [];
  const unread: bigint[] = [];
  for (const from of callers) {
    try {
      calls.push(...(await callsOf(reading, from)));
    } catch (error) {
      if (!isReaError(error) || !aboutOneCaller.has(error.code)) throw error;
      unread.push(from);
    }
    reading.came(1);
  }
  return { calls, unread };
}

/** Refusals that leave the engine as it was; a late answer is none, since all that follows would be late as well. */
const aboutOneCaller: ReadonlySet<string> = new Set(["target_unavailable", "invalid_request", "execution_failure", "truncated"]);

async function callsOf({ client, context }: FactReading, from: bigint): Promise<CallFact[]> {
  const calls: CallFact[] = [];
  for (let offset = 0; ; ) {
    const params = deepOperations.procedure_callees.params.parse({ procedure: `0x${from.toString(16)}`, offset, limit: pageSize });
    const { result } = await client.ask("procedure_callees", params, context);
    for (const to of result.items) calls.push({ from, to: addressOf(to) });
    if (result.next_offset === null) return calls;
    offset = result.next_offset;
  }
}

async function readRanges(reading: FactReading, omissions: Omission[]): Promise<readonly PlacedRange[]> {
  const ranges: PlacedRange[] = [];
  for await (const { name, start, sections } of itemsOf(reading, segments, omissions)) {
    ranges.push({ name, start: addressOf(start) });
    for (const section of sections) ranges.push({ name: section.name, start: addressOf(section.start) });
  }
  return ranges;
}

async function readFunctions(
  reading: FactReading,
  { omissions, names }: { readonly omissions: Omission[]; readonly names: NameFact[] },
): Promise<readonly FunctionFact[] | null> {
  if (!reading.offers("list_procedures")) return null;
  const functions: FunctionFact[] = [];
  for await (const { address, value, value_truncated: truncated, procedure } of itemsOf(reading, procedures, omissions)) {
    if (procedure.external) continue;
    const place = addressOf(address);
    functions.push({ address: place, size: procedure.size });
    if (procedure.name_source !== "generated") names.push({ address: place, value, truncated, demangled: procedure.demangled });
  }
  return functions;
}

async function readNames(reading: FactReading, omissions: Omission[]): Promise<readonly NameFact[] | null> {
  if (!reading.offers("list_names")) return null;
  const names: NameFact[] = [];
  for await (const { address, value, value_truncated: truncated, symbol } of itemsOf(reading, listedNames, omissions)) {
    names.push({ address: addressOf(address), value, truncated, demangled: symbol.demangled });
  }
  return names;
}

async function readStrings(reading: FactReading, omissions: Omission[]): Promise<readonly TextFact[] | null> {
  if (!reading.offers("list_strings")) return null;
  const strings: TextFact[] = [];
  for await (const { address, value, value_truncated: truncated } of itemsOf(reading, listedStrings, omissions)) {
    strings.push({ address: addressOf(address), value, truncated });
  }
  return strings;
}

/** One list of a provider, by pages. */
interface List<T> {
  readonly operation: DeepOperationName;
  page(client: PrivateClient, at: PageRequest, context: OperationContext): Promise<Page<T>>;
}

interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

const segments: List<OperationResult<"list_segments">["items"][number]> = {
  operation: "list_segments",
  page: async (client, at, context) => (await client.ask("list_segments", deepOperations.list_segments.params.parse(at), context)).result,
};
const procedures: List<OperationResult<"list_procedures">["items"][number]> = {
  operation: "list_procedures",
  page: async (client, at, context) => (await client.ask("list_procedures", deepOperations.list_procedures.params.parse(at), context)).result,
};
const listedNames: List<OperationResult<"list_names">["items"][number]> = {
  operation: "list_names",
  page: async (client, at, context) => (await client.ask("list_names", deepOperations.list_names.params.parse(at), context)).result,
};
const listedStrings: List<OperationResult<"list_strings">["items"][number]> = {
  operation: "list_strings",
  page: async (client, at, context) => (await client.ask("list_strings", deepOperations.list_strings.params.parse(at), context)).result,
};

/** A list up to our bound; what it leaves out is noted once. */
async function* itemsOf<T>({ id, client, context, came }: FactReading, list: List<T>, omissions: Omission[]): AsyncGenerator<T, void> {
  for (let offset = 0; ; ) {
    const { items, next_offset: next, coverage } = await list.page(client, { offset, limit: pageSize }, context);
    if (offset === 0) for (const each of coverage.omissions) omissions.push({ ...each, scope: `${id}: ${each.scope}` });
    yield* items;
    came(items.length);
    if (next === null) return;
    if (next >= mostFacts) return void omissions.push(omission(`${id}: ${list.operation}`, "limit_items", { limit: mostFacts }));
    offset = next;
  }
}

/** Whether an error ends the whole comparison: what was cancelled, or left something behind. */
export function endsComparison(error: unknown): boolean {
  return isReaError(error) && (error.code === "cancelled" || error.code === "cleanup_incomplete");
}
