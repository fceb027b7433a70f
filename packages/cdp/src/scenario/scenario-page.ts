import { ReaError, throwIfAborted, z, type StepFailure } from "@rea/core";
import { frameTreeReply } from "../page/frame-map.js";
import { CommandRefused, type Connection } from "../protocol/connection.js";
import { reasonOf } from "../protocol/failures.js";
import { TargetSession } from "../protocol/target-session.js";
import type { AttachedPage } from "../targets/attach.js";
import { until, type Deadline } from "./deadline.js";
import { IsolatedWorld } from "./isolated-world.js";
import { StepFailed } from "./step-failed.js";

const attachedReply = z.looseObject({ sessionId: z.string() });
const navigated = z.looseObject({ frame: z.looseObject({ id: z.string(), parentId: z.string().optional() }) });
const ofFrame = z.looseObject({ frameId: z.string() });
const lifecycle = z.looseObject({ frameId: z.string(), loaderId: z.string(), name: z.string() });
const navigateReply = z.looseObject({ frameId: z.string(), loaderId: z.string().optional(), errorText: z.string().optional() });
const ofTarget = z.looseObject({ targetId: z.string() });

/** How long a page may take to say that an action made it go somewhere. */
const reactionMs = 60;

export interface ScenarioPageOptions {
  readonly connection: Connection;
  readonly targetId: string;
  readonly operation: string;
  readonly signal: AbortSignal;
}

/** The page of a scenario over a connection to its browser, followed from document to document. */
export class ScenarioPage {
  readonly connection: Connection;
  readonly session: TargetSession;
  readonly world: IsolatedWorld;
  readonly frameId: string;
  readonly #options: ScenarioPageOptions;
  readonly #loaded = new Set<string>();
  #loading = false;
  #over: StepFailure | null = null;

  /** Attaches to the page. Throws an observation error. */
  static async attach(options: ScenarioPageOptions): Promise<ScenarioPage> {
    const { connection, targetId } = options;
    const { sessionId } = await connection.command("Target.attachToTarget", { targetId, flatten: true }, attachedReply);
    const session = new TargetSession(connection, sessionId);
    const { frameTree } = await session.command("Page.getFrameTree", {}, frameTreeReply);
    return new ScenarioPage(options, session, frameTree.frame.id);
  }

  private constructor(options: ScenarioPageOptions, session: TargetSession, frameId: string) {
    this.connection = options.connection;
    this.session = session;
    this.frameId = frameId;
    this.world = new IsolatedWorld(session, frameId);
    this.#options = options;
    this.#follow();
  }

  /** Why nothing more can be done with the page; null as long as something can. */
  get over(): StepFailure | null {
    return this.#over;
  }

  /** The browser is known to be over, which says more than that its connection is. */
  end(failure: StepFailure): void {
    this.#over = this.#over === null || this.#over === "disconnected" ? failure : this.#over;
  }

  /** Throws when the page is over or the call is cancelled. */
  readonly check = (): void => {
    throwIfAborted(this.#options.signal, this.#options.operation);
    if (this.#over !== null) throw new StepFailed(this.#over);
  };

  /** Goes to a URL and waits until it is loaded. */
  async goto(url: string, deadline: Deadline): Promise<void> {
    const timeoutMs = Math.max(1, Math.ceil(deadline.at - performance.now()));
    const { loaderId, errorText } = await this.session.command("Page.navigate", { url }, navigateReply, timeoutMs);
    if (errorText !== undefined) throw new StepFailed(errorText === "net::ERR_BLOCKED_BY_CLIENT" ? "navigation_blocked" : "navigation_failed");
    if (loaderId === undefined) return;
    await until(deadline, () => Promise.resolve(this.#loaded.has(loaderId) ? null : new StepFailed("timeout")));
  }

  /** When the last action made the page go somewhere, waits until it has arrived, but not past the deadline. */
  async settle(deadline: Deadline): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, reactionMs));
    await until({ ...deadline, failure: "timeout" }, () => Promise.resolve(this.#loading ? new StepFailed("timeout") : null)).catch((error: unknown) => {
      if (!(error instanceof StepFailed) || this.#over !== null) throw error;
    });
  }

  /** A view of the page for the readers of its state; its sessions end with `close`. */
  view(): AttachedPage {
    const opened: TargetSession[] = [];
    const { targetId } = this.#options;
    return {
      connection: this.connection,
      session: this.session,
      attach: async (wanted) => {
        if (wanted === targetId) return this.session;
        const { sessionId } = await this.connection.command("Target.attachToTarget", { targetId: wanted, flatten: true }, attachedReply);
        const session = new TargetSession(this.connection, sessionId);
        opened.push(session);
        return session;
      },
      close: async () => {
        await Promise.all(opened.map((session) => session.end()));
      },
    };
  }

  /** Whatever ended an action, as the failure of its step. Throws what is no failure of a step. */
  failureOf(error: unknown): StepFailed {
    if (error instanceof StepFailed) return error;
    throwIfAborted(this.#options.signal, this.#options.operation);
    if (this.#over !== null) return new StepFailed(this.#over);
    if (error instanceof CommandRefused) return new StepFailed("protocol_error");
    if (!(error instanceof ReaError)) throw error;
    return new StepFailed(failures.get(reasonOf(error) ?? "") ?? "protocol_error");
  }

  #follow(): void {
    const { connection, session } = this;
    void connection.ended.then((error) => this.end(reasonOf(error) === "payload_limit" ? "payload_limit" : "disconnected"));
    session.on("Page.frameNavigated", navigated, ({ frame }) => {
      if (frame.id === this.frameId) this.world.forget();
    });
    session.on("Page.lifecycleEvent", lifecycle, ({ frameId, loaderId, name }) => {
      if (frameId === this.frameId && name === "load") this.#loaded.add(loaderId);
    });
    for (const [method, loading] of [["Page.frameStartedLoading", true], ["Page.frameStoppedLoading", false], ["Page.frameRequestedNavigation", true]] as const) {
      session.on(method, ofFrame, ({ frameId }) => {
        if (frameId === this.frameId) this.#loading = loading;
      });
    }
    connection.listen(({ method, params }) => {
      if (method !== "Target.targetCrashed" && method !== "Target.targetDestroyed") return;
      const read = ofTarget.safeParse(params);
      if (read.success && read.data.targetId === this.#options.targetId) this.end(method === "Target.targetCrashed" ? "target_crashed" : "target_closed");
    });
    session.on("Inspector.targetCrashed", z.looseObject({}), () => this.end("target_crashed"));
  }
}

const failures = new Map<string, StepFailure>([
  ["timeout", "timeout"],
  ["disconnected", "disconnected"],
  ["payload_limit", "payload_limit"],
]);
