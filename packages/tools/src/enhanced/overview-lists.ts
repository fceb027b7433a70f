import {
  coverageOf,
  omission,
  type CapabilityPorts,
  type Coverage,
  type Execution,
  type Omission,
  type ReaError,
} from "@rea/core";
import type { ToolContext } from "@rea/tool";
import { importGroupOf } from "../front-page/telling-imports.js";
import type { Attempt, Composition } from "../composed/composition.js";
import { isImportedName } from "../composed/imported-name.js";
import type { Overview } from "./overview-result.js";
import { walkPages } from "../composed/paging.js";

/** Pages of 500 read at most to look for entry points or imports in a whole list. */
const maximumPages = 20;

export interface OverviewCall {
  readonly ports: Pick<CapabilityPorts, "list_segments" | "list_procedures" | "list_names" | "list_strings">;
  readonly context: ToolContext;
  readonly composition: Composition;
  /** What the lists could not say; grows. */
  readonly notes: string[];
  readonly omissions: Omission[];
}

/** What an overview says of the whole program, from wherever it came. */
export interface OverviewFacts {
  readonly procedure_count: number | null;
  readonly string_count: number | null;
  readonly name_count: number | null;
  readonly entry_points: Overview["entry_points"];
  readonly notable_imports: NonNullable<Overview["notable_imports"]>;
}

/** The facts as the lists of a provider tell them; telling imports only when asked for. */
export async function factsFromLists(call: OverviewCall, imports: boolean): Promise<OverviewFacts> {
  const procedures = await readProcedures(call);
  const names = imports ? await readNames(call) : { total: await countNames(call), notable: [] };
  return {
    procedure_count: procedures.total,
    string_count: await countStrings(call),
    name_count: names.total,
    entry_points: procedures.entries,
    notable_imports: names.notable,
  };
}

type EntryPoint = Overview["entry_points"][number];
type NotableImport = NonNullable<Overview["notable_imports"]>[number];

/** The first `limit` segments and how many there are. */
export async function sampleSegments(call: OverviewCall, limit: number) {
  const page = await call.composition.attempt(() => call.ports.list_segments({ offset: 0, limit }, call.context));
  if (!page.ok) {
    note(call, "segments", page.error);
    return { items: [], total: null };
  }
  const { items, total, has_more, next_offset, coverage } = page.value;
  call.omissions.push(...coverage.omissions);
  if (has_more) {
    const how_to_continue = `Call list_segments with offset ${String(next_offset ?? items.length)}.`;
    call.omissions.push(omission("segments", "limit_items", { limit, how_to_continue }));
  }
  return { items, total };
}

/** How many strings the engine knows; null when it cannot count. */
async function countStrings(call: OverviewCall): Promise<number | null> {
  return counted(call, "strings", await call.composition.attempt(() => call.ports.list_strings({ offset: 0, limit: 1 }, call.context)));
}

async function countNames(call: OverviewCall): Promise<number | null> {
  return counted(call, "names", await call.composition.attempt(() => call.ports.list_names({ offset: 0, limit: 1 }, call.context)));
}

interface Counted {
  readonly total: number | null;
  readonly coverage: Coverage;
}

/** The number of procedures and those known as entry points. */
async function readProcedures(call: OverviewCall): Promise<{ total: number | null; entries: EntryPoint[] }> {
  const entries: EntryPoint[] = [];
  const total = await readList(call, "procedures", (offset) => call.ports.list_procedures({ offset, limit: 500 }, call.context), (item) => {
    if (item.procedure.sources.includes("entry")) entries.push({ address: item.address, name: item.value, kind: "entry" });
  });
  return { total, entries };
}

/** The number of names and the imports that say something about what the program does. */
async function readNames(call: OverviewCall): Promise<{ total: number | null; notable: NotableImport[] }> {
  const notable: NotableImport[] = [];
  const total = await readList(call, "names", (offset) => call.ports.list_names({ offset, limit: 500 }, call.context), (item) => {
    const { library } = item.symbol;
    const group = isImportedName(item) ? importGroupOf(item.value) : undefined;
    if (group === undefined || notable.some((known) => known.name === item.value)) return;
    notable.push({ address: item.address, name: item.value, library, group });
  });
  return { total, notable };
}

type ListPage<T> = Counted & { readonly items: readonly T[]; readonly next_offset: number | null; readonly has_more: boolean };

async function readList<T>(
  call: OverviewCall,
  what: string,
  read: (offset: number) => Promise<Execution<ListPage<T>>>,
  visit: (item: T) => void,
): Promise<number | null> {
  let pages = 0;
  let total: number | null = null;
  const end = await walkPages<T, ListPage<T>>(
    `list_${what}`,
    async (offset) => {
      if (pages === maximumPages) return undefined;
      pages += 1;
      const page = await call.composition.attempt(() => read(offset));
      if (page.ok) return page.value;
      note(call, what, page.error);
      return undefined;
    },
    (page) => {
      if (total === null) call.omissions.push(...page.coverage.omissions);
      total = page.total;
      page.items.forEach(visit);
    },
  );
  if (end === "stopped" && pages === maximumPages) {
    const how_to_continue = `Page list_${what} from offset ${String(maximumPages * 500)}.`;
    call.omissions.push(omission(what, "limit_items", { limit: maximumPages * 500, how_to_continue }));
  }
  return total;
}

function counted(call: OverviewCall, what: string, page: Attempt<Counted>): number | null {
  if (!page.ok) {
    note(call, what, page.error);
    return null;
  }
  call.omissions.push(...page.value.coverage.omissions);
  if (page.value.total === null) call.notes.push(`The engine cannot count ${what}.`);
  return page.value.total;
}

function note(call: OverviewCall, what: string, error: ReaError): void {
  call.notes.push(`The ${what} could not be read (${error.code}).`);
  call.omissions.push(omission(what, "not_examined", { how_to_continue: error.action }));
}

/** Coverage of the whole overview; the same gap reported by several lists stands once. */
export function overviewCoverage(call: OverviewCall) {
  return coverageOf([...new Map(call.omissions.map((left) => [JSON.stringify(left), left])).values()]);
}
