import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { z } from "@rea/core";
import { cliMain } from "../built-apps.js";
import { output } from "../corpus/programs.js";

const bundle = z.object({
  wholes: z.array(z.object({ kind: z.string(), content: z.object({ matches: z.array(z.object({ left: z.string(), right: z.string() })) }) })),
});

export interface ComparedFiles {
  readonly pairs: readonly { readonly left: bigint; readonly right: bigint }[];
  readonly milliseconds: number;
}

/** Compares two programs as a user does, names of functions left aside, and takes all matches from the Evidence. */
export async function compareFiles(left: string, right: string): Promise<ComparedFiles> {
  const directory = await mkdtemp(join(tmpdir(), "rea-bench-diff-"));
  try {
    const evidence = join(directory, "evidence.json");
    const started = performance.now();
    await output([process.execPath, cliMain, "compare-binaries", left, right, "--no-names", "--limit", "1", "--save-evidence", evidence, "--json"]);
    const milliseconds = performance.now() - started;
    const { wholes } = bundle.parse(JSON.parse(await readFile(evidence, "utf8")));
    const pairs = wholes.flatMap(({ content }) => content.matches.map((match) => ({ left: BigInt(match.left), right: BigInt(match.right) })));
    return { pairs, milliseconds };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
