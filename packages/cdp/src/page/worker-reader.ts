import { z, type WebWorker } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import type { TargetSession } from "../protocol/target-session.js";
import type { AttachedPage } from "../targets/attach.js";
import { LimitedList } from "./capture-notes.js";
import type { CollectorContext } from "./collector.js";
import type { FrameMap } from "./frame-map.js";
import { pageUrl, pageWord } from "./page-text.js";

const info = z.looseObject({ targetId: z.string(), type: z.string(), url: z.string(), parentFrameId: z.string().optional() });
const targetInfos = z.looseObject({ targetInfos: z.array(info) });
const attachedEvent = z.looseObject({ targetInfo: info });
const registrations = z.looseObject({ registrations: z.array(z.looseObject({ registrationId: z.string(), scopeURL: z.string(), isDeleted: z.boolean() })) });
const versions = z.looseObject({
  versions: z.array(z.looseObject({ registrationId: z.string(), versionId: z.string(), scriptURL: z.string(), runningStatus: z.string(), status: z.string() })),
});
/** How long the lists of service workers are waited for. */
const toldMs = 300;
type Version = z.output<typeof versions>["versions"][number];

/** Service workers of allowed origins as they are registered, whether they run or not. */
class ServiceWorkers {
  readonly #scopes = new Map<string, string>();
  readonly #versions = new Map<string, Version>();
  readonly #told: Promise<void>;

  constructor(session: TargetSession) {
    let registered = false;
    let settle: () => void = () => undefined;
    this.#told = new Promise((resolve) => (settle = resolve));
    session.on("ServiceWorker.workerRegistrationUpdated", registrations, (event) => {
      registered = true;
      for (const { registrationId, scopeURL, isDeleted } of event.registrations) {
        if (isDeleted) this.#scopes.delete(registrationId);
        else this.#scopes.set(registrationId, scopeURL);
      }
    });
    session.on("ServiceWorker.workerVersionUpdated", versions, (event) => {
      for (const version of event.versions) this.#versions.set(version.versionId, version);
      if (registered) settle();
    });
  }

  /** The browser tells both lists once after the domain is enabled, at a time of its own; some never do. */
  async told(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, toldMs)));
    await Promise.race([this.#told, late]);
    clearTimeout(timer);
  }

  found(): { readonly version: Version; readonly scope: string }[] {
    return [...this.#versions.values()].flatMap((version) => {
      const scope = this.#scopes.get(version.registrationId);
      return scope === undefined || version.status === "redundant" ? [] : [{ version, scope }];
    });
  }
}

/** Reads which workers there are: of allowed frames, and shared and service workers of allowed origins. */
export async function readWorkers(attached: AttachedPage, frames: FrameMap, context: CollectorContext): Promise<WebWorker[]> {
  const { policy, notes, limits } = context;
  const service = new ServiceWorkers(attached.session);
  await attached.session.enable("ServiceWorker").catch(ignoreRefusal);
  const found: WebWorker[] = [];
  const { targetInfos: infos } = await attached.connection.command("Target.getTargets", { filter: [{}] }, targetInfos);
  for (const target of infos.filter(({ type }) => type === "shared_worker")) {
    if (!policy.allowsUrl(target.url)) notes.exclude("workers");
    else found.push({ kind: "shared", url: pageUrl(target.url), scope: null, status: null, running: true });
  }
  for (const session of frames.sessions) {
    for (const { url, parentFrameId } of await dedicatedWorkers(attached, session)) {
      if (parentFrameId !== undefined && context.frames.find(parentFrameId) === "excluded") notes.exclude("workers");
      else found.push({ kind: "dedicated", url: pageUrl(url), scope: null, status: null, running: true });
    }
  }
  await service.told();
  for (const { version, scope } of service.found()) {
    if (!policy.allowsUrl(scope)) notes.exclude("workers");
    else found.push({ kind: "service", url: pageUrl(version.scriptURL), scope: pageUrl(scope), status: pageWord(version.status), running: version.runningStatus === "running" });
  }
  const kept = new LimitedList<WebWorker>(limits.workers, "workers", notes);
  for (const worker of found.sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1))) kept.add(worker);
  return kept.items;
}

/** The list of targets leaves the URLs of dedicated workers out; they are told to who attaches through the page. */
async function dedicatedWorkers(attached: AttachedPage, session: TargetSession): Promise<z.output<typeof info>[]> {
  const found = new Map<string, z.output<typeof info>>();
  const stop = attached.connection.listen(({ method, params, sessionId }) => {
    if (method !== "Target.attachedToTarget" || !session.is(sessionId)) return;
    const event = attachedEvent.safeParse(params);
    if (event.success && event.data.targetInfo.type === "worker") found.set(event.data.targetInfo.targetId, event.data.targetInfo);
  });
  const only = { waitForDebuggerOnStart: false, flatten: true };
  try {
    await session.tell("Target.setAutoAttach", { ...only, autoAttach: true, filter: [{ type: "worker" }, { exclude: true }] });
    await session.tell("Target.setAutoAttach", { ...only, autoAttach: false });
  } catch (error) {
    ignoreRefusal(error);
  } finally {
    stop();
  }
  return [...found.values()];
}

function ignoreRefusal(error: unknown): void {
  // A browser without the domain, or a worker that has ended since.
  if (!(error instanceof CommandRefused)) throw error;
}

function orderKey({ kind, url, scope }: WebWorker): string {
  return [kind, url, scope ?? ""].join("\u0000");
}
