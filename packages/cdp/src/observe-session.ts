import { throwIfAborted, type ObserveWebSessionInput, type OperationContext, type ReaError, type RetainedWhole, type WebTimelineCapture, type WebTimelineSummary } from "@rea/core";
import { takeBoundary } from "./page/boundary.js";
import { CaptureNotes } from "./page/capture-notes.js";
import { countedWords, excerptOf } from "./page/excerpt.js";
import { FrameMap } from "./page/frame-map.js";
import { wholeOf } from "./page/summarize-page.js";
import { goneTarget } from "./page/wait-window.js";
import { parseEndpoint } from "./protocol/endpoint.js";
import type { TargetSession } from "./protocol/target-session.js";
import { admitPage, attachPage, type AdmittedPage } from "./targets/attach.js";
import { TimelineCollector } from "./timeline-collector.js";

const operation = "observe_web_session";
const frameLimit = 200;
const room = { bytes: 7000, most: 60 };

/** What happened to a page: the whole timeline, and the page about it. */
export interface ObservedSession {
  readonly whole: RetainedWhole;
  readonly summary: WebTimelineSummary;
}

/** Watches a page move. Unlike a capture it stays with the page over navigations, while the origin stays allowed. */
export async function observeSession(input: ObserveWebSessionInput, context: OperationContext): Promise<ObservedSession> {
  const endpoint = parseEndpoint(input.cdp_endpoint, { operation, field: "cdp_endpoint" });
  const page = await admitPage({ endpoint, operation, signal: context.signal, targetId: input.target_id, allowedOrigins: input.allowed_origins, supports: (url) => /^https?:/i.test(url) });
  const capture = await watchTimeline(page, input, context);
  const whole = wholeOf(capture);
  const { timeline, schema_version: _version, kind: _kind, ...shared } = capture;
  const summary = { capture: { sha256: whole.sha256, bytes: whole.bytes }, ...shared, kinds: countedWords(timeline.map(({ kind }) => kind), 20), timeline: excerptOf(timeline, room) };
  return { whole, summary };
}

async function watchTimeline(page: AdmittedPage, input: ObserveWebSessionInput, { signal, progress }: OperationContext): Promise<WebTimelineCapture> {
  const notes = new CaptureNotes();
  const attached = await attachPage(page);
  try {
    const { frameId } = await takeBoundary(attached.session, page);
    const frames = new FrameMap(page, { limit: frameLimit, notes });
    await frames.read(attached);
    let leave: () => void = () => undefined;
    const left = new Promise<Ending>((resolve) => {
      leave = () => {
        resolve("left_allowed_origins");
      };
    });
    const collector = new TimelineCollector({ frames, policy: page.policy, notes, limit: input.max_timeline_events, onLeft: leave });
    const started = new Date();
    const main = frames.find(frameId);
    collector.add("initial", { frameId, url: main === "excluded" ? undefined : main.url });
    for (const session of frames.sessions) {
      frames.follow(session);
      collector.listen(session);
    }
    await Promise.all(frames.sessions.map(enableTimeline));
    collector.begin();
    const { promise: gone, stop } = goneTarget(attached, page);
    const ended = await firstOf<Ending>({
      milliseconds: input.observation_ms,
      others: [left, gone.then(() => "target_gone" as const), attached.connection.ended],
      tick: () => {
        progress.report({ phase: "observing", completed: Math.min(collector.elapsedMs, input.observation_ms), total: input.observation_ms, message: "Watching the page." });
      },
    }).finally(stop);
    throwIfAborted(signal, operation);
    if (typeof ended !== "string") throw ended;
    return {
      schema_version: 1,
      kind: "web-timeline",
      browser: page.browser,
      target: page.target,
      started_at: started.toISOString(),
      ended_at: new Date().toISOString(),
      requested_ms: input.observation_ms,
      elapsed_ms: collector.elapsedMs,
      ended_by: ended,
      allowed_origins: [...page.allowedOrigins],
      completeness: notes.completeness(["timeline"]),
      coverage: notes.coverage(),
      limitations: [...page.limitations, ...notes.limitations, "What happened before the page was watched is not in the timeline."],
      timeline: [...collector.events],
    };
  } finally {
    await attached.close();
  }
}

async function enableTimeline(session: TargetSession): Promise<void> {
  await session.enable("Page");
  await Promise.all([session.tell("Page.setLifecycleEventsEnabled", { enabled: true }), session.enable("Network", { maxPostDataSize: 0 }), session.enable("Runtime")]);
}

/** What ends watching before its time; an error when the connection does. */
type Ending = "left_allowed_origins" | "target_gone" | ReaError;

interface Waiting<T> {
  readonly milliseconds: number;
  readonly others: readonly Promise<T>[];
  readonly tick: () => void;
}

async function firstOf<T>({ milliseconds, others, tick }: Waiting<T>): Promise<T | "window"> {
  let timer: NodeJS.Timeout | undefined;
  const ticker = setInterval(tick, 250);
  const window = new Promise<"window">((resolve) => {
    timer = setTimeout(() => {
      resolve("window");
    }, milliseconds);
  });
  try {
    return await Promise.race([window, ...others]);
  } finally {
    clearTimeout(timer);
    clearInterval(ticker);
  }
}
