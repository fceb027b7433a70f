import { basename } from "node:path";
import { escapeUntrusted, processCapturePredicate, silentProgress, type Execution, type OperationContext, type ProcessCaptureSummary, type ProcessScenario, type ProcessesPort, type Subject } from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";
import type { CloseOutcome } from "@rea/provider";
import { continuousProgress } from "./continuous-progress.js";
import { subjectOf } from "./session/open-state.js";
import { resolveTarget, type DetectFile } from "./target/resolve-target.js";

const provider = { id: "rea-process-capture", name: "REA process capture", version: "1" };
const operation = "capture_process_scenario";

export interface ProcessesOptions {
  readonly env: { readonly [name: string]: string | undefined };
  readonly version: string;
  readonly detect: DetectFile;
}

/** Programs that are run to be observed; nothing is loaded or started before the first. */
export interface Processes {
  readonly port: ProcessesPort;
  /** Ends what still runs; safe to call twice. */
  close(): Promise<CloseOutcome>;
}

export function createProcesses({ env, version, detect }: ProcessesOptions): Processes {
  let launcher: ProcessLauncher | null = null;
  const capture = async (scenario: ProcessScenario, context: OperationContext): Promise<Execution<ProcessCaptureSummary>> => {
    const [{ createLauncher }, { captureProcess, summarize, wholeOf }] = await Promise.all([import("@rea/lineage"), import("@rea/capture")]);
    launcher ??= createLauncher();
    const host = { launcher, environment: env, version };
    const { capture, executable } = await captureProcess({ scenario, host, signal: context.signal, progress: continuousProgress(context.progress) });
    const whole = wholeOf(capture);
    const { manifest } = capture;
    return {
      result: summarize(capture, whole),
      raw_result: null,
      provider,
      analysis_profile: null,
      subject: await subjectAt(executable, detect, { signal: context.signal, progress: silentProgress }),
      confidence: "observed",
      predicate_type: processCapturePredicate,
      environment: { id: null, platform: manifest.platform, architecture: manifest.architecture, isolation: scenario.isolation === "none" ? "none" : "process" },
      limitations: capture.limitations,
      locations: [],
      resolved_parameters: { scenario: manifest.scenario },
      wholes: [whole],
    };
  };
  return {
    port: { capture },
    async close() {
      const remaining = (await launcher?.close())?.remaining ?? [];
      return { remaining: remaining.map(({ kind, detail }) => ({ kind, detail: `pid ${String(detail.pid)}: ${detail.reason}` })) };
    },
  };
}

/** What was run, with the format of its file where that still is the file that was run. */
async function subjectAt(executable: { readonly path: string; readonly sha256: string }, detect: DetectFile, context: OperationContext): Promise<Subject> {
  const { path, sha256 } = executable;
  const plain = { name: escapeUntrusted(basename(path)), digest: { sha256 }, format: "file", architecture: null, local_path: escapeUntrusted(path) } as const;
  const resolved = await resolveTarget({ path, operation }, detect, context).catch(() => null);
  const subject = resolved === null ? null : subjectOf(resolved.target);
  return subject?.digest.sha256 === sha256 ? subject : plain;
}
