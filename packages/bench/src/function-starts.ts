import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@rea/core";
import { createRuntime } from "@rea/runtime";
import { invoke } from "@rea/tool";

/**
 * What a folder of stripped programs holds: `stripped/<name>` and `truth/<name>.json` with the function symbols inside
 * `.text` before stripping. Split-off cold blocks and start-up code count neither for nor against.
 */
const truthSchema = z.looseObject({
  text: z.tuple([z.number(), z.number()]),
  functions: z.array(z.looseObject({ start: z.number() })),
  cold_parts: z.array(z.union([z.number(), z.looseObject({ start: z.number() })])),
  crt: z.array(z.union([z.number(), z.looseObject({ start: z.number() })])),
});

const pageSchema = z.looseObject({
  items: z.array(z.looseObject({ address: z.string(), procedure: z.looseObject({ external: z.boolean() }) })),
  next_offset: z.number().nullable(),
});

export interface StartScore {
  readonly name: string;
  readonly found: number;
  readonly recall: number;
  readonly precision: number;
  readonly cpuMs: number;
}

/** Precision and recall of function starts, file by file. */
export async function scoreFunctionStarts(folder: string): Promise<readonly StartScore[]> {
  const scores: StartScore[] = [];
  for (const name of readdirSync(join(folder, "stripped")).sort()) {
    const truth = truthSchema.parse(JSON.parse(readFileSync(join(folder, "truth", `${name}.json`), "utf8")));
    const before = process.cpuUsage();
    const found = await functionStarts(join(folder, "stripped", name));
    const { user, system } = process.cpuUsage(before);
    scores.push(score({ name, truth, found, cpuMs: Math.round((user + system) / 1000) }));
  }
  return scores;
}

async function functionStarts(path: string): Promise<readonly number[]> {
  const home = mkdtempSync(join(tmpdir(), "rea-bench-"));
  const identity = { package_name: "@rea/bench", package_version: "0.0.0", server_path: "/" };
  const { tools, host, close } = createRuntime({ env: { HOME: home }, identity, log: { level: "silent" } });
  const call = async (name: string, input: object): Promise<unknown> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    const reply = await invoke(tool, input, host, { signal: new AbortController().signal });
    if (reply.ok) return reply.value.result;
    throw new Error(reply.error.message);
  };
  try {
    await call("open_binary", { path });
    const starts: number[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page = pageSchema.parse(await call("list_procedures", { offset, limit: 500 }));
      starts.push(...page.items.filter(({ procedure }) => !procedure.external).map(({ address }) => Number(address)));
      offset = page.next_offset;
    }
    return starts;
  } finally {
    await close();
    rmSync(home, { recursive: true, force: true });
  }
}

interface Judged {
  readonly name: string;
  readonly truth: z.infer<typeof truthSchema>;
  readonly found: readonly number[];
  readonly cpuMs: number;
}

function score({ name, truth, found, cpuMs }: Judged): StartScore {
  const [low, high] = truth.text;
  const wanted = new Set(truth.functions.map(({ start }) => start));
  const neutral = new Set([...truth.cold_parts, ...truth.crt].map((item) => (typeof item === "number" ? item : item.start)));
  const judged = found.filter((start) => start >= low && start < high && (wanted.has(start) || !neutral.has(start)));
  const right = judged.filter((start) => wanted.has(start)).length;
  return {
    name,
    found: judged.length,
    recall: wanted.size === 0 ? 1 : right / wanted.size,
    precision: judged.length === 0 ? 1 : right / judged.length,
    cpuMs,
  };
}

export function startTable(scores: readonly StartScore[]): string {
  const width = Math.max(...scores.map(({ name }) => name.length));
  const rows = scores.map(
    ({ name, found, recall, precision, cpuMs }) =>
      `  ${name.padEnd(width)}  ${String(found).padStart(6)}  ${recall.toFixed(4)}  ${precision.toFixed(4)}  ${String(cpuMs).padStart(6)}`,
  );
  return ["function starts", `  ${"".padEnd(width)}   found  recall  precis.  CPU ms`, ...rows].join("\n");
}
