import {
  canonicalDigestOfWhole,
  runtimeLimits,
  runtimeLimitsSchema,
  throwIfAborted,
  type ObserveRuntimeInput,
  type OperationContext,
  type ProgressReporter,
  type RetainedWhole,
  type RuntimeCapture,
  type RuntimeSummary,
} from "@rea/core";
import { CaptureNotes } from "../page/capture-notes.js";
import { excerptOf } from "../page/excerpt.js";
import { mergedLimits } from "../page/merged-limits.js";
import { wholeOf } from "../page/summarize-page.js";
import { inspectorMethods } from "../protocol/allowed-methods.js";
import { Connection } from "../protocol/connection.js";
import { parseEndpoint } from "../protocol/endpoint.js";
import { observationError, reasonOf } from "../protocol/failures.js";
import { TargetSession } from "../protocol/target-session.js";
import { originOf } from "../targets/origins.js";
import { attachedUnknown, runtimeOf, shownTarget, survey, type Surveyed } from "../targets/target-list.js";
import { RuntimeCollector } from "./runtime-collector.js";
import { scriptPolicy } from "./runtime-scripts.js";

const operation = "observe_javascript_runtime";

/** What was seen of a runtime: the whole, and the page about it. */
export interface ObservedRuntime {
  readonly whole: RetainedWhole;
  readonly summary: RuntimeSummary;
}

/** Watches a V8 runtime over its inspector; only `Runtime.enable` and `Debugger.enable` are sent. Throws an observation error. */
export async function observeRuntime(input: ObserveRuntimeInput, { signal, progress }: OperationContext): Promise<ObservedRuntime> {
  const endpoint = parseEndpoint(input.inspector_endpoint, { operation, field: "inspector_endpoint" });
  scriptPolicy({ roots: input.allowed_file_roots, origins: input.allowed_origins }, operation);
  const found = await survey({ endpoint, operation, signal });
  const target = requireTarget(found, input);
  const ofNode = target.type === "node";
  // Pages stay with their own origin unless told otherwise; a runtime of its own has none.
  const origins = input.allowed_origins ?? (ofNode ? undefined : [originOf(target.url)]);
  const limits = mergedLimits(runtimeLimitsSchema, runtimeLimits, input.limits);
  const notes = new CaptureNotes();
  const connection = await Connection.open({ url: target.socket, allow: inspectorMethods, operation, signal });
  let pause: () => void = () => undefined;
  const paused = new Promise<"paused">((resolve) => {
    pause = () => {
      resolve("paused");
    };
  });
  const collector = new RuntimeCollector({ policy: scriptPolicy({ roots: input.allowed_file_roots, origins }, operation), limits, notes, onPaused: pause });
  const ended = await watch({ connection, collector, milliseconds: input.observation_ms, paused, progress }).finally(() => {
    connection.close();
  });
  throwIfAborted(signal, operation);
  const capture: RuntimeCapture = {
    schema_version: 1,
    kind: "javascript-runtime",
    runtime: runtimeOf(found),
    target: shownTarget(target, found),
    runtime_kind: input.runtime_kind,
    role: "caller-declared-unverified",
    observation_ms: input.observation_ms,
    ended_by: ended,
    contexts: collector.contexts(),
    excluded: { ...collector.excluded },
    unknowns: alwaysUnknown,
    coverage: notes.coverage(),
    limitations: [...(found.browserSocket === null ? [attachedUnknown] : []), ...endLimitations(ended)],
    scripts: collector.scripts(),
    events: collector.events(),
  };
  const whole = wholeOf(capture);
  return { whole, summary: summarize(capture, whole) };
}

/** What an inspector without running anything cannot tell, whatever was seen. */
const alwaysUnknown = [
  { question: "Which module imports which?", reason: "The inspector tells of scripts, not of the edges between them." },
  { question: "Which event emitters and listeners are there?", reason: "Telling would take evaluating script in the target." },
  { question: "What goes over IPC?", reason: "The inspector does not tell of messages between processes." },
  { question: "Which scripts were unloaded?", reason: "The inspector does not tell when a script is collected." },
];

function endLimitations(ended: RuntimeCapture["ended_by"]): string[] {
  if (ended === "paused") return ["The runtime stopped at a breakpoint or debugger statement, so watching ended at once, which lets it go on."];
  return ended === "target_gone" ? ["The runtime ended, or closed its inspector, before the window did."] : [];
}

function requireTarget(found: Surveyed, { target_id, runtime_kind }: ObserveRuntimeInput) {
  const target = found.targets.find(({ id }) => id === target_id);
  if (target === undefined) throw observationError({ operation, reason: "target_not_found", message: "The endpoint has no target with this target_id. List the targets again." });
  const wanted = runtime_kind === "node" || runtime_kind === "electron-main" ? "node" : "page";
  if (target.type !== wanted) throw observationError({ operation, reason: "target_not_allowed", message: `runtime_kind ${runtime_kind} needs a target of type ${wanted}. Choose another target or kind.` });
  const { socket } = target;
  if (socket === null || found.attached.get(target.id) === true) {
    throw observationError({ operation, reason: "target_not_allowed", message: "Another client is attached to this target. Close it (developer tools count as one), and call again." });
  }
  return { ...target, socket };
}

interface Watching {
  readonly connection: Connection;
  readonly collector: RuntimeCollector;
  readonly milliseconds: number;
  readonly paused: Promise<"paused">;
  readonly progress: ProgressReporter;
}

async function watch({ connection, collector, milliseconds, paused, progress }: Watching): Promise<RuntimeCapture["ended_by"]> {
  const session = new TargetSession(connection, undefined);
  collector.listen(session);
  let timer: NodeJS.Timeout | undefined;
  const ticker = setInterval(() => {
    progress.report({ phase: "observing", completed: 0, message: "Watching the runtime." });
  }, 250);
  try {
    // Contexts are known before the scripts that run in them.
    await session.tell("Runtime.enable");
    await session.tell("Debugger.enable");
    const window = new Promise<"window">((resolve) => {
      timer = setTimeout(() => {
        resolve("window");
      }, milliseconds);
    });
    const ended = await Promise.race([window, paused, connection.ended]);
    if (typeof ended === "string") return ended;
    if (reasonOf(ended) === "disconnected") return "target_gone";
    throw ended;
  } finally {
    clearTimeout(timer);
    clearInterval(ticker);
  }
}

function summarize(capture: RuntimeCapture, whole: RetainedWhole): RuntimeSummary {
  const { schema_version: _version, kind: _kind, contexts, scripts, events, ...shared } = capture;
  const ofKind = (kind: string): number => scripts.filter(({ origin_kind }) => origin_kind === kind).length;
  // The application's own first: a runtime brings hundreds of its own.
  const shown = [...scripts].sort((a, b) => Number(a.origin_kind !== "application") - Number(b.origin_kind !== "application"));
  return {
    capture: { sha256: whole.sha256, bytes: whole.bytes },
    ...shared,
    contexts: excerptOf(contexts, { bytes: 1000, most: 10 }),
    scripts: {
      ...excerptOf(shown, { bytes: 4000, most: 20 }),
      sha256: canonicalDigestOfWhole(scripts).sha256,
      application: ofKind("application"),
      runtime: ofKind("runtime"),
      unnamed: ofKind("unnamed"),
    },
    events: { ...excerptOf(events, { bytes: 2000, most: 20 }), sha256: canonicalDigestOfWhole(events).sha256 },
  };
}
