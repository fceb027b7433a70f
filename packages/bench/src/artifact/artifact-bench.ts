import { spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "@rea/core";
import type { Benchmark, Contender } from "../benchmark.js";
import { measure } from "../measure.js";
import { ratioTable } from "../ratio-table.js";
import { ArtifactInputs, asarCommand } from "./artifact-inputs.js";

const answer = z.object({ peakMiB: z.number(), omissions: z.number() });
const peaks = new Map<string, number>();

/** `pnpm bench artifact`: every figure of the artifact engine against the program people use for the same work. */
export async function runArtifactBench(only: string | undefined): Promise<void> {
  const inputs = new ArtifactInputs();
  try {
    await inputs.build();
    for (const [name, make] of benchmarks.filter(([name]) => only === undefined || name.includes(only))) {
      console.log(ratioTable(name, await measure({ ...make(name, inputs), rounds: 3 })));
    }
    for (const [name, input] of alone.filter(([name]) => only === undefined || name.includes(only))) await runAlone(name, input(inputs), inputs);
    console.log("peak resident size, MiB");
    for (const [label, mebibytes] of peaks) console.log(`  ${label}  ${String(mebibytes)}`);
  } finally {
    await inputs.close();
  }
}

const benchmarks: readonly (readonly [string, (name: string, inputs: ArtifactInputs) => Benchmark])[] = [
  ["directory of 20,000 small files", (name, inputs) => versus(inputs, name, inputs.smallFiles(), {
    inventory: shell("find | sha256sum", (path) => `find ${path} -type f -print0 | xargs -0 sha256sum`),
  })],
  ["one file of 2 GB", (name, inputs) => versus(inputs, name, inputs.largeFile(), { inventory: shell("sha256sum", (path) => `sha256sum ${path}`) })],
  ["zip of 130 MB", (name, inputs) => versus(inputs, name, inputs.zip(), { inventory: shell("unzip -t", (path) => `unzip -tq ${path}`) })],
  ["tar of 130 MB", (name, inputs) => versus(inputs, name, inputs.tar(), {
    inventory: shell("bsdtar -tv and sha256sum", (path) => `bsdtar -tvf ${path} && bsdtar -xOf ${path} | sha256sum`, "bsdtar"),
  })],
  ["asar of 5,000 files", (name, inputs) => versus(inputs, name, inputs.asar(), { inventory: asarExtract(inputs) })],
  ["extract the zip", (name, inputs) => versus(inputs, name, inputs.zip(), { extract: into(inputs, "unzip", (path, to) => `unzip -q ${path} -d ${to}`) })],
  ["extract the tar", (name, inputs) => versus(inputs, name, inputs.tar(), { extract: into(inputs, "bsdtar -x", (path, to) => `bsdtar -xf ${path} -C ${to}`, "bsdtar") })],
  ["extract the asar", (name, inputs) => versus(inputs, name, inputs.asar(), { extract: asarExtract(inputs) })],
];

/** What nothing is to be compared with: only its memory and its time are told. */
const alone: readonly (readonly [string, (inputs: ArtifactInputs) => string])[] = [
  ["sparse tar of 10 GB in four members", (inputs) => inputs.sparseTar(4)],
  ["sparse tar of 10 GB in one member, more than may be hashed", (inputs) => inputs.sparseTar(1)],
];

async function runAlone(name: string, path: string, inputs: ArtifactInputs): Promise<void> {
  const start = performance.now();
  await run(inputs, { work: "inventory", path, label: `${name}, inventory`, mayLeave: name.includes("one member") });
  console.log(`${name}\n  @rea/artifact, inventory  ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

type Reference = (path: string) => Contender;

function versus(inputs: ArtifactInputs, name: string, path: string, { inventory, extract }: { readonly inventory?: Reference; readonly extract?: Reference }): Benchmark {
  const work = extract === undefined ? "inventory" : "extract";
  const reference = (extract ?? inventory)?.(path);
  if (reference === undefined) throw new Error("A figure needs something to be compared with.");
  return { name, reference, processes: true, contenders: [{ label: `@rea/artifact, ${work}`, run: () => run(inputs, { work, path, label: `${name}, ${work}` }) }] };
}

interface Run {
  readonly work: string;
  readonly path: string;
  readonly label: string;
  readonly mayLeave?: boolean;
}

/** One fresh process, as the reference is: its start belongs to both. */
async function run(inputs: ArtifactInputs, { work, path, label, mayLeave = false }: Run): Promise<void> {
  const { peakMiB, omissions } = answer.parse(JSON.parse(await output(process.execPath, [inputs.script, work, path])));
  if (omissions > 0 && !mayLeave) throw new Error(`${label}: something was left out, so the times do not compare.`);
  peaks.set(label, Math.max(peaks.get(label) ?? 0, peakMiB));
}

function shell(label: string, command: (path: string) => string, program = command("").split(" ", 1)[0] ?? ""): Reference {
  const missing = spawnSync("which", [program]).status !== 0;
  return (path) => ({
    label,
    ...(missing ? { unavailable: `${program} is not there` } : {}),
    run: async () => void (await output("sh", ["-c", `{ ${command(path)}; } > /dev/null`])),
  });
}

/** Into a directory that is emptied before. */
function into(inputs: ArtifactInputs, label: string, command: (path: string, to: string) => string, program?: string): Reference {
  const to = join(inputs.home, "extracted");
  const whole = (path: string) => `rm -rf ${to} && mkdir ${to} && ${command(path, to)}`;
  return (path) => shell(label, whole, program ?? command("", "").split(" ", 1)[0])(path);
}

function asarExtract(inputs: ArtifactInputs): Reference {
  const to = join(inputs.home, "extracted-asar");
  return (path) => ({
    label: "asar extract",
    run: async () => {
      rmSync(to, { recursive: true, force: true });
      await output(process.execPath, [asarCommand, "extract", path, to]);
    },
  });
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    const parts: string[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part.toString()));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(parts.join("")) : reject(new Error(`${command} ended with ${String(code)}`))));
  });
}
