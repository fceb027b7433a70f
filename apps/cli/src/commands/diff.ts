import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { artifactComparisonSchema, operations } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import { verdictStatus } from "../exit-code.js";
import type { Finish } from "../finish.js";
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
  if (!reply.ok || session.json) return session.print(reply, { tool: "compare_artifacts" });
  const comparison = artifactComparisonSchema.parse(reply.value.result);
  session.text(comparisonText(comparison, session.style));
  const changed = comparison.changes.filter(({ state, dimensions, duplicate_index, left: before, right: after }) => {
    const both = programs.has(before?.artifact_format ?? "") && programs.has(after?.artifact_format ?? "");
    return state === "changed" && both && duplicate_index === 0 && dimensions.includes("content");
  });
  for (const { logical_path: path } of changed.slice(0, mostPrograms)) await diffMember(session, given, path);
  if (changed.length > mostPrograms) session.text(session.style.dim(`\n${String(changed.length - mostPrograms)} more changed programs were not looked into; run rea diff on them.\n`));
  const saved = await session.save({});
  if (saved !== 0 || !given["exit-code"]) return saved;
  return verdictStatus(comparison.status === "unchanged" ? "equal" : comparison.status === "changed" || comparison.status === "contradiction" ? "different" : "unknown");
}

function inventory(session: CommandSession, path: string): Promise<ToolReply> {
  return session.call("inspect_artifact", { path: localPath(path), integrity_policy: "record-and-continue", limit: 1 });
}

function reference({ value }: Succeeded): object {
  return "evidence_id" in value ? { evidence_id: value.evidence_id } : {};
}

/** Compares a program that is in both artifacts; what had to be extracted for it goes away again. */
async function diffMember(session: CommandSession, given: Arguments, logicalPath: string): Promise<void> {
  session.text(`\n${session.style.heading(logicalPath)}\n`);
  const members = { left: await memberFile(session, given.old, logicalPath), right: await memberFile(session, given.new, logicalPath) };
  try {
    if (members.left === undefined || members.right === undefined) {
      session.text(session.style.warn("It could not be taken out of both.\n"));
      return;
    }
    const reply = await binaryComparison(session, { left: members.left.path, right: members.right.path }, given);
    if (reply.ok) printBinaries(session, reply, { left: members.left.path, right: members.right.path });
    else session.text(session.style.warn(`${reply.error.message}\n`));
  } finally {
    for (const member of [members.left, members.right]) member?.discard();
  }
}

interface MemberFile {
  readonly path: string;
  readonly discard: () => void;
}

async function memberFile(session: CommandSession, artifact: string, logicalPath: string): Promise<MemberFile | undefined> {
  const root = localPath(artifact);
  const direct = join(root, logicalPath);
  if (statSync(root).isDirectory() && statSync(direct, { throwIfNoEntry: false })?.isFile() === true) return { path: direct, discard: () => undefined };
  const reply = await session.call("extract_artifact", { path: root, select: [logicalPath], integrity_policy: "record-and-continue" });
  if (!reply.ok) return undefined;
  const { output_root: output, artifacts } = operations.extract_artifact.result.parse(reply.value.result);
  const discard = (): void => rmSync(output, { recursive: true, force: true });
  const [only] = artifacts;
  if (only !== undefined) return { path: join(output, only.relative_path), discard };
  discard();
  return undefined;
}
