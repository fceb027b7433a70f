import { isJsonObject, unknownMutationPredicate, type Evidence, type JsonObject, type JsonValue } from "@rea/core";
import { inputSchemaOf, type Tool } from "@rea/tool";
import { readsCursor } from "../session/answer-cache.js";

/** Why a record cannot be made again from the target, as a word and for a person. */
export const unrepeatedReasons = {
  no_tool: "this version has no tool of that name that makes records",
  observation: "it observed something that ran, changed or was fetched, which does not come again",
  statement: "it is what somebody said, not what the bytes say",
  effect: "making it again would write or change something",
  cursor: "it depends on where the analysis cursor stood",
  host_program: "a program of the host answered",
  other_target: "it is about other bytes than those of the target",
  other_producer: "another provider, version or profile made it",
  other_parameters: "something beside its parameters, such as annotations, entered it",
  missing_input: "the bundle lacks what it rests on",
  contradicted_input: "it rests on a record that is contradicted",
  failed: "making it again failed",
} as const;
export type UnrepeatedReason = keyof typeof unrepeatedReasons;

/** The open target, which records are made again from. */
export interface RederivationTarget {
  readonly path: string;
  /** Null for a directory. */
  readonly sha256: string | null;
  /** Id of the bound deep provider; null when none is bound. */
  readonly provider: string | null;
}

export type AgainInput = { readonly input: JsonObject } | { readonly reason: UnrepeatedReason };

/** What a tool is called with so that it makes a record again: the opposite of how parameters of records are formed. */
export function againInput(tool: Tool | undefined, record: Evidence, target: RederivationTarget): AgainInput {
  if (tool?.evidence !== true) return { reason: "no_tool" };
  const refused = refusalOf(tool, record);
  if (refused !== undefined) return { reason: refused };
  if (record.analysis_profile !== null && record.provider.id !== target.provider) return { reason: "other_producer" };
  if (tool.target !== "none" && !isAbout(record.subject?.digest.sha256, target)) return { reason: "other_target" };
  const paths = new Set(tool.paths ?? []);
  for (const field of paths) if (!isAbout(digestIn(record.parameters[field]), target)) return { reason: "other_target" };
  const fields = inputSchemaOf(tool).properties ?? {};
  const given = Object.entries(record.parameters).filter(([field]) => field in fields);
  return { input: Object.fromEntries(given.map(([field, value]): [string, JsonValue] => [field, paths.has(field) ? target.path : value])) };
}

function refusalOf(tool: Tool, { parameters, predicate_type: predicate, authority }: Evidence): UnrepeatedReason | undefined {
  const { effects } = tool;
  const acts = effects.writes_filesystem || effects.mutates_target || effects.may_discard_data || !effects.idempotent;
  if (predicate === unknownMutationPredicate || (acts && authority === "analyst-inference")) return "statement";
  if (authority === "runtime-observation" || effects.accesses_network) return "observation";
  if (acts) return "effect";
  if (tool.host !== undefined) return "host_program";
  // What a tool composes it asks about addresses of its own, but for where the cursor is.
  const atCursor = effects.changes_ui_state || readsCursor(tool.name, parameters) || tool.requires.includes("current_address") || tool.requires.includes("current_procedure");
  return atCursor ? "cursor" : undefined;
}

/** Whether a digest is that of the target. Of a directory that is known only after it was walked. */
function isAbout(sha256: string | null | undefined, target: RederivationTarget): boolean {
  return target.sha256 === null || sha256 === target.sha256;
}

function digestIn(value: JsonValue | undefined): string | null {
  const digest = value !== undefined && isJsonObject(value) ? value["sha256"] : null;
  return typeof digest === "string" ? digest : null;
}
