import { z, type BrowserScenario, type ScenarioEventKind } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import { TargetSession } from "../protocol/target-session.js";
import { emulate } from "./emulate.js";
import type { EventLog } from "./event-log.js";
import type { PageWords } from "./page-words.js";
import type { RequestGate } from "./request-gate.js";
import type { ScenarioPage } from "./scenario-page.js";
import type { Secrets } from "./secrets.js";
import { seedStorage } from "./seed-storage.js";

const attachedEvent = z.looseObject({
  sessionId: z.string(),
  targetInfo: z.looseObject({ targetId: z.string(), type: z.string(), url: z.string() }),
  waitingForDebugger: z.boolean(),
});
const dialogOpened = z.looseObject({ type: z.string() });

/** The browser itself fetches a service worker's script, past the gate; so a page cannot register one. */
const noServiceWorkers = `if (self.ServiceWorkerContainer) Object.defineProperty(ServiceWorkerContainer.prototype, "register", {
  configurable: true, writable: true, enumerable: true,
  value: function register() { return Promise.reject(new DOMException("Service workers are blocked.", "SecurityError")); },
});`;

export interface PreparedParts {
  readonly page: ScenarioPage;
  readonly scenario: BrowserScenario;
  readonly gate: RequestGate;
  readonly log: EventLog;
  readonly words: PageWords;
  readonly secrets: Secrets;
  readonly userAgent: string;
  /** The browser is ours: what it opens beside the page may be closed. */
  readonly owned: boolean;
}

/** Puts the gate, the log and the environment over the page and over everything that it starts, before any of it runs. */
export async function preparePage(parts: PreparedParts): Promise<{ readonly limited: () => number }> {
  const { page, scenario, secrets } = parts;
  const preparation = new Preparation(parts);
  await preparation.document(page.session, { main: true });
  await page.session.tell("Page.setLifecycleEventsEnabled", { enabled: true });
  await page.session.tell("Network.setBypassServiceWorker", { bypass: true });
  if (scenario.storage_seed !== undefined) await seedStorage(page.session, scenario.storage_seed, secrets);
  await page.session.tell("Page.bringToFront");
  return { limited: () => preparation.limited };
}

class Preparation {
  readonly #parts: PreparedParts;
  /** Targets that could not be prepared. */
  limited = 0;

  constructor(parts: PreparedParts) {
    this.#parts = parts;
  }

  /** A document's session: of the page, or of a frame of another process. */
  async document(session: TargetSession, { main }: { readonly main: boolean }): Promise<void> {
    const { gate, log, scenario, userAgent } = this.#parts;
    log.listen(session);
    session.on("Page.javascriptDialogOpening", dialogOpened, () => {
      void session.tell("Page.handleJavaScriptDialog", { accept: false }).catch(() => undefined);
    });
    this.#followChildren(session);
    await session.enable("Page");
    await gate.hold(session);
    await this.#events(session);
    await emulate(session, scenario.environment, { main, userAgent });
    await session.command("Page.addScriptToEvaluateOnNewDocument", { source: noServiceWorkers }, z.looseObject({}));
    await session.tell("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  }

  async #events(session: TargetSession): Promise<void> {
    const wanted = (...kinds: ScenarioEventKind[]): boolean => this.#parts.scenario.capture.events.some((kind) => kinds.includes(kind));
    if (wanted("console", "page_errors")) await session.enable("Runtime");
    await session.enable("Network", { maxPostDataSize: 0 });
  }

  #followChildren(session: TargetSession): void {
    session.on("Target.attachedToTarget", attachedEvent, ({ sessionId, targetInfo: { type, url, targetId } }) => {
      const child = new TargetSession(this.#parts.page.connection, sessionId);
      void this.#child(child, { type, url, targetId }).catch(() => {
        this.limited += 1;
      });
    });
  }

  /** Waits at its start until it is prepared, so that nothing of it passes by the gate. */
  async #child(child: TargetSession, { type, url, targetId }: { readonly type: string; readonly url: string; readonly targetId: string }): Promise<void> {
    const { log, scenario, page, owned } = this.#parts;
    if (type === "service_worker" || (type === "page" && owned)) {
      if (type === "page") this.popup(url, true);
      await page.connection.command("Target.closeTarget", { targetId }, z.looseObject({}));
      return;
    }
    if (type === "iframe") await this.document(child, { main: false });
    else await this.#worker(child);
    if (type === "page") this.popup(url, false);
    await child.tell("Runtime.runIfWaitingForDebugger");
    if (type.includes("worker") && scenario.capture.events.includes("workers") && allowed(this.#parts, url)) log.add({ kind: "worker", worker: kindOf(type), url: this.#parts.words.url(url) });
  }

  popup(url: string, closed: boolean): void {
    const { scenario, log, words } = this.#parts;
    if (scenario.capture.events.includes("popups") && allowed(this.#parts, url)) log.add({ kind: "popup", url: words.url(url), closed });
  }

  async #worker(child: TargetSession): Promise<void> {
    const { gate, log } = this.#parts;
    log.listen(child);
    // Workers of a page send through it where they have no interception of their own.
    await gate.hold(child).catch((error: unknown) => {
      if (!(error instanceof CommandRefused)) throw error;
    });
    await this.#events(child).catch((error: unknown) => {
      if (!(error instanceof CommandRefused)) throw error;
    });
    await child.tell("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }).catch((error: unknown) => {
      if (!(error instanceof CommandRefused)) throw error;
    });
    this.#followChildren(child);
  }
}

function allowed({ gate }: PreparedParts, url: string): boolean {
  return gate.allows(url);
}

function kindOf(type: string): "dedicated" | "shared" | "service" | "other" {
  if (type === "worker") return "dedicated";
  if (type === "shared_worker") return "shared";
  return type === "service_worker" ? "service" : "other";
}
