import type { ComparedFact, ComparedProvider, ProviderComparison, ProviderContradiction, SingleSourceFact } from "@rea/core";
import { grouped } from "./figures.js";
import type { Style } from "./style.js";
import { table } from "./table.js";

const shownFacts = 12;
const kinds: readonly ComparedFact[] = ["functions", "names", "strings", "call_edges"];

/** What several providers say of one program, for a person: who was asked, how far they agree, where they do not. */
export function crossCheckText(found: ProviderComparison, width: number, style: Style): string {
  return [
    `${style.heading(headline(found))}\n`,
    ...found.targets.map((target) => targetLine(target, style)),
    ...(found.status === "not_compared" ? [] : ["\n", agreementTable(found, width)]),
    ...listOf("Contradictions", found.contradictions, contradictionLine, style),
    ...listOf("Not said by all", found.single_source, factLine, style),
    ...notes(found, style),
  ].join("");
}

function headline({ status, targets }: ProviderComparison): string {
  const compared = targets.filter(({ state }) => state === "compared").map(({ provider }) => provider.id);
  if (status === "agreement") return `${listed(compared)} agree on everything that was compared`;
  if (status === "differences") return `${listed(compared)} do not say the same`;
  const [usable] = targets.filter(({ state }) => state === "usable");
  if (usable === undefined) return "None of the providers could be asked about this file";
  return `Only ${usable.provider.id} could be asked about this file, so there is nothing to check it against`;
}

function listed(ids: readonly string[]): string {
  return ids.length < 2 ? ids.join("") : `${ids.slice(0, -1).join(", ")} and ${ids.slice(-1).join("")}`;
}

function targetLine({ provider, state, reason, address_shift: shift }: ComparedProvider, style: Style): string {
  const name = provider.version === null ? provider.name : `${provider.name} ${provider.version.slice(0, 32)}`;
  const moved = shift === null || shift === "0x0" ? "" : `, addresses moved by ${shift}`;
  const why = reason === null ? moved : `: ${reason}`;
  const mark = state === "compared" || state === "usable" ? style.good("+") : style.warn("-");
  return `${mark} ${provider.id.padEnd(12)} ${style.dim(name)}  ${state}${why}\n`;
}

function agreementTable({ agreement }: ProviderComparison, width: number): string {
  const rows = kinds.map((kind) => {
    const { state, providers, agreed, single_source: single, shared, contradicted } = agreement[kind];
    const word = kind.replaceAll("_", " ");
    if (state === "not_compared") return [word, "", "", "", "", providers.length === 0 ? "nobody gives them" : `only ${providers.join("")} gives them`];
    return [word, grouped(agreed), grouped(single), grouped(shared), grouped(contradicted), ""];
  });
  const right = "right" as const;
  const columns = [{ title: "" }, { title: "agreed", align: right }, { title: "by one alone", align: right }, { title: "by some", align: right }, { title: "contradicted", align: right }, { title: "" }];
  return table(columns, rows, width);
}

function listOf<T>(title: string, { items, total }: { readonly items: readonly T[]; readonly total: number | null }, line: (item: T) => string, style: Style): string[] {
  if (items.length === 0) return [];
  const more = (total ?? items.length) - Math.min(items.length, shownFacts);
  const rest = more > 0 ? [style.dim(`  … ${grouped(more)} more; --offset and --limit page them\n`)] : [];
  return [`\n${style.heading(title)}\n`, ...items.slice(0, shownFacts).map((item) => `  ${line(item)}\n`), ...rest];
}

function contradictionLine({ about, address, values }: ProviderContradiction): string {
  return `${address}  ${about.replaceAll("_", " ")}: ${values.map(({ provider, value }) => `${provider} ${excerpt(value)}`).join(" | ")}`;
}

function factLine({ fact, address, value, providers, missing }: SingleSourceFact): string {
  const what = { functions: "function", names: "name", strings: "string", call_edges: "call to" }[fact];
  return `${address}  ${what}${value === null ? "" : ` ${excerpt(value)}`}: ${providers.join(", ")}, not ${missing.join(", ")}`;
}

function excerpt(text: string): string {
  const flat = text.replace(/\s+/gu, " ");
  return flat.length > 60 ? `${[...flat].slice(0, 59).join("")}…` : flat;
}

function notes({ status, coverage, limitations }: ProviderComparison, style: Style): string[] {
  const omissions = status === "not_compared" ? [] : coverage.omissions.map(({ scope, reason }) => `Not all was compared: ${scope} (${reason.replaceAll("_", " ")}).`);
  return ["\n", ...[...omissions, ...limitations].map((text) => `${style.dim(text)}\n`)];
}
