import { readFileSync } from "node:fs";
import { artifactComparisonSchema, isJsonObject, jsonObject, type JsonObject } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, wantsJson, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { differencesText } from "../render/differences-text.js";
import { UsageError } from "../usage-error.js";

export const compareArtifactsOptions = {
  limit: { type: "string", describe: "Changes to show, 1 to 500", default: "100" },
  offset: { type: "string", describe: "First change to show", default: "0" },
  diff: { type: "boolean", describe: "Also show changed lines of text and changed ranges of bytes", default: false },
  "exit-code": { type: "boolean", describe: "Exit with 0 when equal, 1 when different, 3 when unknown", default: false },
} as const;

type Arguments = OutputArguments & { left: string; right: string; limit: string; offset: string; diff: boolean; "exit-code": boolean };

/** `rea compare-artifacts LEFT RIGHT`: what was added, removed and changed between two artifacts or two saved records. */
export function compareArtifactsCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "compare-artifacts <left> <right>",
    describe: "What differs between two archives, packages or directories.",
    builder: (argv) =>
      argv
        .positional("left", operand("left", "The older artifact, a record of inspect_artifact, or BUNDLE#ev_…"))
        .positional("right", operand("right", "The newer one"))
        .options(compareArtifactsOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(await inSession(given, (session) => compareArtifacts(session, given), [given.left, given.right]));
    },
  };
}

async function compareArtifacts(session: CommandSession, given: Arguments): Promise<number> {
  if (given.diff && wantsJson(given)) throw new UsageError("--diff prints text; leave out --json, --format json and --output without --format text");
  const left = await evidenceOf(session, given.left);
  if ("failed" in left) return session.fail(left.failed);
  const right = await evidenceOf(session, given.right);
  if ("failed" in right) return session.fail(right.failed);
  const reply = await session.call("compare_artifacts", {
    left: left.evidence,
    right: right.evidence,
    limit: wholeNumber("limit", given.limit),
    offset: wholeNumber("offset", given.offset),
  });
  const printed = session.print(reply, { tool: "compare_artifacts" });
  if (printed !== 0 || !reply.ok) return printed;
  if (given.diff) {
    const sides = { left: artifactPath(given.left), right: artifactPath(given.right) };
    session.text(differencesText(await session.memberDifferences({ ...sides, paths: changedMembers(reply) }), session.style));
  }
  const saved = await session.save({});
  return saved === 0 && given["exit-code"] ? verdict(reply) : saved;
}

/** Files whose content changed, of the page that is shown; of equal names only the first can be told apart on disk. */
function changedMembers(reply: Extract<ToolReply, { ok: true }>): string[] {
  const { changes } = artifactComparisonSchema.parse(reply.value.result);
  const changed = changes.filter(({ state, dimensions, duplicate_index, right }) => {
    return state === "changed" && duplicate_index === 0 && dimensions.includes("content") && right?.entry_kind !== "directory";
  });
  return changed.map(({ logical_path }) => logical_path).filter((path) => path !== ".");
}

/** Contents are read from the artifacts themselves; a record does not hold them. */
function artifactPath(operandText: string): string {
  const isRecord = /#ev_[0-9a-f]{64}$/u.test(operandText) || (operandText.endsWith(".json") && recordIn(operandText) !== undefined);
  if (isRecord) throw new UsageError("--diff needs two artifacts; a record does not hold their contents");
  return localPath(operandText);
}

/** Contract 11 §1: 0 equal, 1 different, 3 unknown. */
function verdict(reply: Extract<ToolReply, { ok: true }>): number {
  const { status } = artifactComparisonSchema.parse(reply.value.result);
  if (status === "unchanged") return 0;
  return status === "changed" || status === "contradiction" ? 1 : 3;
}

type Given = { readonly evidence: { readonly [key: string]: unknown } } | { readonly failed: Extract<ToolReply, { ok: false }>["error"] };

/** A record by its place in a bundle, a record file, or an artifact that is inspected now. */
async function evidenceOf(session: CommandSession, operandText: string): Promise<Given> {
  const [, bundle, id] = /^(.+)#(ev_[0-9a-f]{64})$/u.exec(operandText) ?? [];
  if (bundle !== undefined && id !== undefined) {
    const imported = await session.call("import_evidence_bundle", { path: localPath(bundle) });
    return imported.ok ? { evidence: { evidence_id: id } } : { failed: imported.error };
  }
  const record = operandText.endsWith(".json") ? recordIn(operandText) : undefined;
  if (record !== undefined) return { evidence: record };
  const reply = await session.call("inspect_artifact", { path: localPath(operandText), integrity_policy: "record-and-continue", limit: 1 });
  if (!reply.ok) return { failed: reply.error };
  return "evidence_id" in reply.value ? { evidence: { evidence_id: reply.value.evidence_id } } : { evidence: {} };
}

/** A record, or the envelope that holds one, as `--json` prints it; undefined for any other JSON, which is an artifact. */
function recordIn(path: string): JsonObject | undefined {
  const value = jsonIn(localPath(path));
  if (value === undefined) return undefined;
  const inside = value["evidence"];
  const record = inside !== undefined && isJsonObject(inside) ? inside : value;
  return typeof record["evidence_id"] === "string" && "normalized_result" in record ? record : undefined;
}

function jsonIn(path: string): JsonObject | undefined {
  try {
    return jsonObject.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number`);
}
