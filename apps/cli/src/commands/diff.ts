import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { artifactComparisonSchema, binaryComparisonSchema, escapeUntrusted, operations } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import { verdictStatus } from "../exit-code.js";
import type { Finish } from "../finish.js";
import { binaryComparisonText } from "../render/binary-comparison-text.js";
import { comparisonText } from "../render/comparison-text.js";
import { binaryComparison, binaryVerdict, compareBinariesOptions, printBinaries, type BinaryArguments } from "./compare-binaries.js";

type Arguments = BinaryArguments & OutputArguments & { old: string; new: string };
type Succeeded = Extract<ToolReply, { ok: true }>;

/** Changed programs of an archive that are looked into. */
const mostPrograms = 10;
const programs = new Set(["elf", "pe", "mach-o", "mach-o-universal"]);

/** `rea diff OLD NEW`: what changed between two versions of a program, or of what programs come in. */
export function diffCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "diff <old> <new>",
    describe: "What changed between two versions of a program, archive, package or directory.",
    builder: (argv) =>
      argv
        .positional("old", operand("old", "The older version"))
        .positional("new", operand("new", "The newer version"))
        .options(compareBinariesOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(await inSession(given, (session) => diff(session, given), [given.old, given.new]));
    },
  };
}

async function diff(session: CommandSession, given: Arguments): Promise<number> {
  const sides = { left: given.old, right: given.new };
  const reply = await binaryComparison(session, sides, given);
  // What the engine does not analyse, and directories, are compared member by member.
  if (!reply.ok && reply.error.code === "capability_unavailable") return diffArtifacts(session, given);
  const printed = printBinaries(session, reply, sides);
  if (printed !== 0 || !reply.ok) return printed;
  const saved = await session.save({});
  return saved === 0 && given["exit-code"] ? binaryVerdict(reply) : saved;
}

async function diffArtifacts(session: CommandSession, given: Arguments): Promise<number> {
  const [left, right] = [await inventory(session, given.old), await inventory(session, given.new)];
  if (!left.ok) return session.fail(left.error);
  if (!right.ok) return session.fail(right.error);
  const reply = await session.call("compare_artifacts", { left: reference(left), right: reference(right), limit: 500 });
  if (!reply.ok) return session.fail(reply.error);
  const comparison = artifactComparisonSchema.parse(reply.value.result);
  if (!session.json) session.text(comparisonText(comparison, session.style));
  const changed = changedPrograms(comparison);
  const members: ComparedMember[] = [];
  for (const { logical_path: path } of changed.slice(0, mostPrograms)) {
    const member = await compareMember(session, given, path);
    if (!session.json) printMember(session, given, member);
    members.push(member);
  }
  const notCompared = Math.max(0, changed.length - mostPrograms);
  if (session.json) session.print({ ok: true, value: { result: { artifacts: reply.value, programs: members.map(memberJson), programs_not_compared: notCompared } } });
  else if (notCompared > 0) session.text(session.style.dim(`\n${String(notCompared)} more changed programs were not looked into; run rea diff on them.\n`));
  const saved = await session.save({});
  if (saved !== 0 || !given["exit-code"]) return saved;
  return verdictStatus(comparison.status === "unchanged" ? "equal" : comparison.status === "changed" || comparison.status === "contradiction" ? "different" : "unknown");
}

type Comparison = ReturnType<typeof artifactComparisonSchema.parse>;

/** Members that are programs on both sides and have other contents. */
function changedPrograms({ changes }: Comparison): Comparison["changes"] {
  return changes.filter(({ state, dimensions, duplicate_index, left: before, right: after }) => {
    const both = programs.has(before?.artifact_format ?? "") && programs.has(after?.artifact_format ?? "");
    return state === "changed" && both && duplicate_index === 0 && dimensions.includes("content");
  });
}

function inventory(session: CommandSession, path: string): Promise<ToolReply> {
  return session.call("inspect_artifact", { path: localPath(path), integrity_policy: "record-and-continue", limit: 1 });
}

function reference({ value }: Succeeded): object {
  return "evidence_id" in value ? { evidence_id: value.evidence_id } : {};
}

interface ComparedMember {
  readonly logicalPath: string;
  /** Null when the member could not be taken out of both. */
  readonly reply: ToolReply | null;
  /** Where the member lies on both sides; undefined when it lay in a place that is gone again. */
  readonly paths: { readonly left: string; readonly right: string } | undefined;
}

/** Compares a program that is in both artifacts; what had to be extracted for it goes away again. */
async function compareMember(session: CommandSession, given: Arguments, logicalPath: string): Promise<ComparedMember> {
  const [left, right] = [await memberFile(session, given.old, logicalPath), await memberFile(session, given.new, logicalPath)];
  try {
    if (left === undefined || right === undefined) return { logicalPath, reply: null, paths: undefined };
    const paths = { left: left.path, right: right.path };
    return { logicalPath, reply: await binaryComparison(session, paths, given), paths: left.lasting && right.lasting ? paths : undefined };
  } finally {
    for (const member of [left, right]) member?.discard();
  }
}

function printMember(session: CommandSession, { old, new: current }: Arguments, { logicalPath, reply, paths }: ComparedMember): void {
  session.text(`\n${session.style.heading(escapeUntrusted(logicalPath))}\n`);
  if (reply === null) return session.text(session.style.warn("It could not be taken out of both.\n"));
  if (!reply.ok) return session.text(session.style.warn(`${reply.error.message}\n`));
  session.text(binaryComparisonText(binaryComparisonSchema.parse(reply.value.result), paths, session.style));
  if (paths === undefined) session.text(session.style.dim(`To look into it: rea extract-artifact ${escapeUntrusted(old)} and ${escapeUntrusted(current)} --select ${escapeUntrusted(logicalPath)}, then rea diff on both.\n`));
}

function memberJson({ logicalPath, reply }: ComparedMember): object {
  const outcome = reply === null ? { comparison: null, error: null } : reply.ok ? { comparison: reply.value, error: null } : { comparison: null, error: reply.error };
  return { logical_path: logicalPath, ...outcome };
}

interface MemberFile {
  readonly path: string;
  /** It lies where the caller's directory has it. */
  readonly lasting: boolean;
  readonly discard: () => void;
}

async function memberFile(session: CommandSession, artifact: string, logicalPath: string): Promise<MemberFile | undefined> {
  const root = localPath(artifact);
  const direct = join(root, logicalPath);
  if (statSync(root).isDirectory() && statSync(direct, { throwIfNoEntry: false })?.isFile() === true) return { path: direct, lasting: true, discard: () => undefined };
  const reply = await session.call("extract_artifact", { path: root, select: [logicalPath], integrity_policy: "record-and-continue" });
  if (!reply.ok) return undefined;
  const { output_root: output, artifacts } = operations.extract_artifact.result.parse(reply.value.result);
  const discard = (): void => rmSync(output, { recursive: true, force: true });
  const [only] = artifacts;
  if (only !== undefined) return { path: join(output, only.relative_path), lasting: false, discard };
  discard();
  return undefined;
}
