import { toReaError, type PackedMembers } from "@rea/core";
import type { CommandModule } from "yargs";
import { choiceOption, localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import type { Finish } from "../finish.js";
import { jsonText } from "../output.js";
import { byteSize, grouped } from "../render/figures.js";
import { keepFilesApart } from "../written-files.js";

export const packArtifactOptions = {
  output: { type: "string", demandOption: true, describe: "File to write" },
  select: { type: "string", array: true, describe: "Logical paths, or prefixes ending in /; everything when left out" },
  overwrite: { type: "boolean", describe: "Replace a file that is there", default: false },
  json: { type: "boolean", describe: "Print JSON", default: false },
} as const;

type Arguments = { path: string; output: string; select?: string[]; overwrite: boolean; json: boolean; "integrity-policy"?: string };

/** `rea pack-artifact PATH --output OUT.tar`: whatever the container, its members as a tar that any tool reads. */
export function packArtifactCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "pack-artifact <path>",
    describe: "Writes the members of an artifact, verified, as one reproducible tar archive.",
    builder: (argv) =>
      argv
        .positional("path", operand("path", "Archive, package, image or directory"))
        .option("integrity-policy", choiceOption("integrity-policy", ["fail", "record-and-continue"], "What a wrong digest does; members that have one are left out under the second"))
        .options(packArtifactOptions),
    handler: async (given) => {
      keepFilesApart({ path: given.path, output: given.output }, []);
      finish(await inSession({ json: given.json }, (session) => pack(session, given)));
    },
  };
}

async function pack(session: CommandSession, given: Arguments): Promise<number> {
  const { path, output, select, overwrite, json } = given;
  try {
    const found = await session.packMembers({
      path: localPath(path),
      output: localPath(output),
      overwrite,
      integrityPolicy: given["integrity-policy"] === "record-and-continue" ? "record-and-continue" : "fail",
      ...(select === undefined ? {} : { select }),
    });
    session.text(json ? jsonText(found, session.output.terminal) : packedText(found, session, output));
    return 0;
  } catch (error) {
    return session.fail(toReaError(error, "pack_artifact").toObject());
  }
}

function packedText({ files, bytes, sha256, skipped, omissions }: PackedMembers, { style }: CommandSession, output: string): string {
  const left = skipped.map(({ logical_path, reason }) => `  ${style.warn(reason)} ${logical_path}`);
  const omitted = omissions.map(({ scope }) => `  ${style.warn("left out")} ${scope}`);
  return [`${grouped(files)} files, ${byteSize(bytes)} in ${output}`, `sha256 ${sha256}`, ...left, ...omitted].map((line) => `${line}\n`).join("");
}
