import { z, type RequestReplay } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import type { OriginPolicy } from "../targets/origins.js";
import { CommandQueue } from "./command-queue.js";

const paused = z.looseObject({
  requestId: z.string(),
  request: z.looseObject({ url: z.string(), method: z.string() }),
  resourceType: z.string(),
  networkId: z.string().optional(),
});

/** What the gate tells of a request that was not let through or was answered here. */
export interface GateEvents {
  readonly onReplayed: (networkId: string) => void;
  readonly onUnmatched: (request: { readonly method: string; readonly url: string; readonly resourceType: string }) => void;
}

const atOnce = 48;

/** Every request of the page passes here before it leaves: to allowed origins, from the replay, or not at all. */
export class RequestGate {
  readonly #policy: OriginPolicy;
  readonly #replay: RequestReplay | undefined;
  readonly #events: GateEvents;
  readonly #queue = new CommandQueue(atOnce);
  /** Requests to origins that are not allowed. */
  aborted = 0;

  constructor(policy: OriginPolicy, replay: RequestReplay | undefined, events: GateEvents) {
    this.#policy = policy;
    this.#replay = replay;
    this.#events = events;
  }

  allows(url: string): boolean {
    return this.#policy.allowsUrl(url);
  }

  /** Holds every request of a session from now on. */
  async hold(session: TargetSession): Promise<void> {
    session.on("Fetch.requestPaused", paused, (request) => {
      this.#queue.add(() => this.#decide(session, request));
    });
    await session.enable("Fetch", { patterns: [{ urlPattern: "*", requestStage: "Request" }] });
  }

  async #decide(session: TargetSession, { requestId, request, resourceType, networkId }: z.output<typeof paused>): Promise<void> {
    if (!this.#policy.allowsUrl(request.url)) {
      this.aborted += 1;
      return session.tell("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    }
    const response = this.#replay?.responses.find(({ method, url }) => method === request.method && sameUrl(url, request.url));
    if (response !== undefined) {
      if (networkId !== undefined) this.#events.onReplayed(networkId);
      return session.tell("Fetch.fulfillRequest", {
        requestId,
        responseCode: response.status,
        responseHeaders: response.headers,
        body: Buffer.from(response.body).toString("base64"),
      });
    }
    if (this.#replay?.unmatched === "abort") {
      this.#events.onUnmatched({ method: request.method, url: request.url, resourceType });
      return session.tell("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    }
    return session.tell("Fetch.continueRequest", { requestId });
  }
}

/** Exact, as browsers write URLs; fragments are not sent. */
function sameUrl(wanted: string, actual: string): boolean {
  if (!URL.canParse(wanted)) return false;
  const url = new URL(wanted);
  url.hash = "";
  return url.href === actual.replace(/#.*$/s, "");
}
