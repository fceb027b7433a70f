import { discardExtraction, extract, inventory, openArtifact } from "@rea/artifact";

/** Bounds that none of the inputs reaches. */
const limits = { maxEntries: 1_000_000, maxTotalBytes: 16 * 2 ** 30, maxEntryBytes: 4 * 2 ** 30, maxCompressionRatio: 100_000 };

/** What a measured process does: one walk of one artifact. Prints its peak resident size in MiB and what it left out. */
export async function artifactRun([work, path]: readonly string[]): Promise<string> {
  const artifact = openArtifact(path ?? "");
  try {
    const left = work === "extract" ? await extracted(artifact) : (await inventory(artifact, { limits })).omissions.length;
    return JSON.stringify({ peakMiB: Math.round(process.resourceUsage().maxRSS / 1024), omissions: left });
  } finally {
    artifact.close();
  }
}

async function extracted(artifact: Parameters<typeof extract>[0]): Promise<number> {
  const found = await extract(artifact, { limits });
  await discardExtraction(found);
  return found.coverage.omissions.length + found.skipped.length;
}
