import type { ApplicationUnknown } from "@rea/core";
import type { ReadApplication } from "../application/application-files.js";
import type { Span } from "../facts/fact.js";
import type { LinkedElectron } from "../link/electron.js";
import type { LinkedApplication } from "../link/linked-application.js";
import { shown, shownOrNull } from "./cite.js";

/** Questions that reading did not settle: what could not be read, what leads nowhere, what only a run decides. */
export function unknownsOf(application: LinkedApplication, electron: LinkedElectron, { left, disproved }: Pick<ReadApplication, "left" | "disproved">): readonly ApplicationUnknown[] {
  return [...unread(application, { left, disproved }), ...imports(application), ...maps(application), ...messages(electron)];
}

function unknown(kind: ApplicationUnknown["unknown"], reason: string, where: { readonly path: string; readonly at?: Span | null; readonly value?: string | null }): ApplicationUnknown {
  const { path, at = null, value = null } = where;
  const isPlaced = at !== null && at.line > 0;
  return { unknown: kind, reason, path: shown(path), line: isPlaced ? at.line : null, column: isPlaced ? at.column : null, value: shownOrNull(value) };
}

function* unread({ scripts, failures, badManifests, entries }: LinkedApplication, { left, disproved }: Pick<ReadApplication, "left" | "disproved">): Generator<ApplicationUnknown> {
  for (const path of left) yield unknown("limit", "A bound of the analysis was reached; this is the first text that was left out.", { path });
  for (const path of disproved) yield unknown("contradicted-file", "Its bytes are not what is declared of them, so they were not analysed.", { path });
  for (const { path, isContradicted } of entries.values()) if (isContradicted && !disproved.includes(path)) yield unknown("contradicted-file", "Its bytes are not what is declared of them.", { path });
  for (const { path, why } of failures) yield unknown("unreadable-file", why, { path });
  for (const { path } of badManifests) yield unknown("unreadable-file", "It is no JSON object, so it says nothing about a package.", { path });
  for (const { path, facts, encoding } of scripts) {
    for (const { what, at } of facts.problems) yield unknown("unreadable-file", what, { path, at });
    if (encoding === "latin-1") yield unknown("unreadable-file", "It is not valid UTF-8 and was read byte by byte.", { path });
    if (facts.omitted > 0) yield unknown("limit", "It holds more findings than are kept for one file.", { path });
  }
}

function* imports({ scripts }: LinkedApplication): Generator<ApplicationUnknown> {
  for (const { path, imports: all } of scripts) {
    for (const { fact, target } of all) {
      const where = { path, at: fact.at, value: fact.specifier ?? fact.pattern };
      if (target.kind === "missing") yield unknown("unresolved-import", target.why, where);
      else if (target.kind === "dynamic") yield unknown("dynamic-import", "What it asks for is decided at run time.", where);
      else if (target.kind === "self") yield unknown("self-import", "The file asks for itself.", where);
    }
  }
}

function* maps({ maps: all }: LinkedApplication): Generator<ApplicationUnknown> {
  for (const { path, script, verdict, facts } of all) {
    if (verdict === "missing") yield unknown("missing-source-map", "The script names a source map that is not part of what was read.", { path: script ?? path, value: path });
    else if (verdict === "contradicting" || verdict === "unreadable") yield unknown("unreadable-file", facts?.problems[0] ?? "The source map could not be read.", { path });
  }
}

function* messages({ ipc, channels, preloads }: LinkedElectron): Generator<ApplicationUnknown> {
  for (const { script, at, channel, operation } of ipc) {
    if (channel === null && operation !== "remove-listener" && operation !== "renderer-remove") yield unknown("dynamic-channel", "The channel is put together at run time.", { path: script.path, at });
  }
  for (const { channel, state, handlers } of channels) {
    const [first] = handlers;
    if (state === "ambiguous" && first !== undefined) yield unknown("ambiguous-channel", "Several handlers take this channel, so none is joined.", { path: first.script.path, at: first.at, value: channel });
  }
  for (const { linked, script, at } of preloads) {
    if (linked.path === null) yield unknown("unresolved-preload", linked.reason ?? "The preload script is not known.", { path: script.path, at, value: linked.requested });
  }
}
