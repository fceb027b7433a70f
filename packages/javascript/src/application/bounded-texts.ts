import { omission, type Omission } from "@rea/core";
import type { ScriptFacts } from "../facts/script-facts.js";
import type { ApplicationFile } from "./application-files.js";
import type { ReadText } from "./read-texts.js";

/** Bounds over all texts of an application together. */
export interface TextTotals {
  readonly astNodes: number;
  readonly findings: number;
  readonly modules: number;
}

export const textTotals: TextTotals = { astNodes: 40_000_000, findings: 50_000, modules: 100_000 };

export interface BoundedTexts {
  readonly texts: ReadonlyMap<string, ReadText>;
  /** Of each bound that was reached: the first text it left out. */
  readonly left: readonly string[];
  readonly omissions: readonly Omission[];
}

const words: { readonly [T in keyof TextTotals]: string } = { astNodes: "syntax", findings: "findings", modules: "bundled modules" };

/** Leaves out, in order of paths, what goes beyond the bounds; the same texts whatever the order in which they were read. */
export function boundTexts(files: readonly ApplicationFile[], texts: ReadonlyMap<string, ReadText>, limits: TextTotals): BoundedTexts {
  const kept = new Map(texts);
  const totals = { astNodes: 0, findings: 0, modules: 0 };
  const left = new Map<keyof TextTotals, { count: number; readonly first: string }>();
  for (const { path } of files) {
    const text = texts.get(path);
    const facts = text?.kind === "script" ? text.facts.facts : text?.kind === "page" ? text.facts.inline : null;
    if (facts === null || facts === undefined) continue;
    const own = { astNodes: facts.nodes, findings: findingsIn(facts), modules: facts.modules.length };
    const reached = names.find((name) => totals[name] + own[name] > limits[name]);
    if (reached === undefined) {
      for (const name of names) totals[name] += own[name];
      continue;
    }
    const known = left.get(reached);
    if (known === undefined) left.set(reached, { count: 1, first: path });
    else known.count += 1;
    kept.set(path, { kind: "failed", failure: `The application has more ${words[reached]} than is analysed; this text was left out.` });
  }
  return {
    texts: kept,
    left: [...left.values()].map(({ first }) => first).sort(),
    omissions: [...left].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { count }]) => omission(`Texts beyond the bound of ${words[name]}; the first of them is among the unknowns.`, "limit_items", { count, limit: limits[name], how_to_continue: "Analyse a part of the application, by its path or inner_path." })),
  };
}

const names = ["astNodes", "findings", "modules"] as const;

function findingsIn({ endpoints, routes, storage, environment }: ScriptFacts): number {
  return endpoints.length + routes.length + storage.length + environment.length;
}
