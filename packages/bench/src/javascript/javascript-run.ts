import { analyzeApplication } from "@rea/javascript";

/** What a measured process does: one analysis. Prints its peak resident size in MiB, its time and what it found. */
export async function javascriptRun([path = "", cache = ""]: readonly string[]): Promise<string> {
  const start = performance.now();
  const found = await analyzeApplication(
    { path, format: "auto", innerPath: null, integrityPolicy: "fail", cache: cache === "" ? null : { directory: cache, version: "bench" }, threads: null, timeMs: 3_600_000, limits: {} },
    { signal: new AbortController().signal, progress: { report: () => undefined } },
  );
  const { user, system } = process.cpuUsage();
  return JSON.stringify({
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / 1e6,
    graphId: found.graph.id,
    files: found.reply.statistics.parsed_files,
    nodes: found.reply.statistics.syntax_nodes,
    unreadable: found.reply.statistics.unreadable_files,
  });
}
