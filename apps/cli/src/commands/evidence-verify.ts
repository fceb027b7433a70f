import { isJsonObject, toReaError, z } from "@rea/core";
import type { Rederivation } from "@rea/runtime";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { fileOption, localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import type { Finish } from "../finish.js";
import { outputOptions, targetOptions, type OutputArguments, type TargetArguments } from "../common-options.js";
import { exitCodeOption, verdictStatus } from "../exit-code.js";
import { rederivationText } from "../render/rederivation-text.js";
import { UsageError } from "../usage-error.js";

/** What tells how the target is to be read, as when the records were made. */
const { architecture, "raw-architecture": rawArchitecture, "raw-base": rawBase, "raw-endian": rawEndian } = targetOptions;

export const evidenceVerifyOptions = {
  target: fileOption("target", "Also make the records again from this file or directory"),
  architecture,
  "raw-architecture": rawArchitecture,
  "raw-base": rawBase,
  "raw-endian": rawEndian,
  ...exitCodeOption,
} as const;

type Arguments = OutputArguments & Omit<TargetArguments, "snapshot" | "provider"> & { path: string; target?: string | undefined; "exit-code": boolean };

const embedded = "rea-native";
const opened = z.looseObject({ sha256: z.string().nullable(), binding: z.looseObject({ provider: z.looseObject({ id: z.string() }) }).nullable() });

/** `rea evidence-verify PATH`: parses a bundle offline, every id and digest recomputed; with `--target` its records are made again. */
export function evidenceVerifyCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "evidence-verify <path>",
    describe: "Check an Evidence bundle: structure, every id, every digest; with --target also against the bytes.",
    builder: (argv) =>
      argv.positional("path", operand("path", "Bundle file")).options(evidenceVerifyOptions).options(outputOptions),
    handler: async (given) => {
      const read = given.target === undefined ? [] : [given.target];
      finish(await inSession(given, (session) => verify(session, given), read));
    },
  };
}

async function verify(session: CommandSession, given: Arguments): Promise<number> {
  const { path, target } = given;
  if (target === undefined && evidenceVerifyNeedsTarget(given)) throw new UsageError("--exit-code and options about the target need --target");
  const reply = await session.call("import_evidence_bundle", { path: localPath(path) });
  const damaged = !reply.ok && reply.error.code === "evidence_integrity_mismatch";
  if (!reply.ok || target === undefined) return session.print(reply, damaged ? { subject: { name: path, next: "Write the bundle again with --save-evidence FILE and do not change it." } } : {});
  const analysed = await session.open(target, { ...given, provider: embedded });
  // What the engine does not analyse has records of the other readers.
  const about = analysed.ok ? analysed : await session.open(target, { ...given, provider: undefined });
  if (!about.ok) return session.fail(about.error);
  return judge(session, given, { bundle: reply, about, target });
}

function evidenceVerifyNeedsTarget(given: Arguments): boolean {
  return given["exit-code"] || [given.architecture, given["raw-architecture"], given["raw-base"], given["raw-endian"]].some((value) => value !== undefined);
}

type Succeeded = Extract<ToolReply, { ok: true }>;

interface Opened {
  readonly bundle: Succeeded;
  readonly about: Succeeded;
  readonly target: string;
}

async function judge(session: CommandSession, given: Arguments, { bundle, about, target }: Opened): Promise<number> {
  const { sha256, binding } = opened.parse(about.value.result);
  const found = await rederived(session, { bundle: localPath(given.path), target: { path: localPath(target), sha256, provider: binding?.provider.id ?? null } });
  if ("error" in found) return session.fail(found.error);
  const imported = isJsonObject(bundle.value.result) ? bundle.value.result : {};
  if (session.json) session.print({ ok: true, value: { result: { bundle: imported, rederivation: found } } });
  else session.text(rederivationText(found, session.style));
  const saved = await session.save({});
  return saved !== 0 || !given["exit-code"] ? saved : verdictStatus(verdictOf(found));
}

async function rederived(session: CommandSession, request: Parameters<CommandSession["rederive"]>[0]) {
  try {
    return await session.rederive(request);
  } catch (error) {
    return { error: toReaError(error, "evidence_verify").toObject() };
  }
}

function verdictOf({ summary }: Rederivation): Parameters<typeof verdictStatus>[0] {
  if (summary.contradicted > 0) return "different";
  return summary.not_rederivable > 0 ? "unknown" : "equal";
}
