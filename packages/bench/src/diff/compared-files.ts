import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { z } from "@rea/core";
import { cliMain } from "../built-apps.js";
import { childrenCpuMs } from "../children-cpu.js";
import { output } from "../corpus/programs.js";

const bundle = z.object({
  records: z.array(z.object({ normalized_result: z.object({ summary: z.object({ functions: z.object({ changed: z.number() }) }) }) })),
  wholes: z.array(z.object({ kind: z.string(), content: z.object({ matches: z.array(z.object({ left: z.string(), right: z.string(), basis: z.string() })) }) })),
});

export interface ComparedFiles {
  readonly pairs: readonly { readonly left: bigint; readonly right: bigint; readonly basis: string }[];
  /** Wall time, and CPU time of all threads. */
  readonly milliseconds: number;
  readonly cpuMs: number | undefined;
  readonly changed: number;
}

/** Compares two programs as a user does, names of functions left aside unless asked for, and takes all matches from the Evidence. */
export async function compareFiles(left: string, right: string, { names = false } = {}): Promise<ComparedFiles> {
  const directory = await mkdtemp(join(tmpdir(), "rea-bench-diff-"));
  try {
    const evidence = join(directory, "evidence.json");
    const [started, cpuBefore] = [performance.now(), childrenCpuMs()];
    await output([process.execPath, cliMain, "compare-binaries", left, right, ...(names ? [] : ["--no-names"]), "--limit", "1", "--save-evidence", evidence, "--json"]);
    const [milliseconds, cpuAfter] = [performance.now() - started, childrenCpuMs()];
    const { wholes, records } = bundle.parse(JSON.parse(await readFile(evidence, "utf8")));
    const pairs = wholes.flatMap(({ content }) => content.matches.map((match) => ({ left: BigInt(match.left), right: BigInt(match.right), basis: match.basis })));
    const changed = records.reduce((sum, { normalized_result: result }) => sum + result.summary.functions.changed, 0);
    return { pairs, milliseconds, cpuMs: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore, changed };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
