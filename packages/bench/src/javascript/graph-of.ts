import { applicationGraphIn, type ApplicationGraph } from "@rea/core";
import { analyzeApplication } from "@rea/javascript";

/** The graph of an application that is read anew, without a bound of time. */
export async function graphOf(path: string): Promise<ApplicationGraph> {
  const { graph } = await analyzeApplication(
    { path, format: "auto", innerPath: null, integrityPolicy: "fail", cache: null, threads: null, timeMs: 3_600_000, limits: {} },
    { signal: new AbortController().signal, progress: { report: () => undefined } },
  );
  return applicationGraphIn(`{"content":${Buffer.from(graph.text).toString("utf8")}}`);
}
