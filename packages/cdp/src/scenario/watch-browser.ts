import { z, type ScenarioEventKind } from "@rea/core";
import { CommandRefused, type Connection } from "../protocol/connection.js";
import type { OriginPolicy } from "../targets/origins.js";
import type { EventLog } from "./event-log.js";
import type { OpenedBrowser } from "./open-browser.js";
import type { PageWords } from "./page-words.js";
import type { ScenarioPage } from "./scenario-page.js";

const created = z.looseObject({ targetInfo: z.looseObject({ targetId: z.string(), type: z.string(), url: z.string(), openerId: z.string().optional() }) });
const download = z.looseObject({ url: z.string(), suggestedFilename: z.string() });
const nothing = z.looseObject({});

export interface WatchedBrowser {
  readonly connection: Connection;
  readonly page: ScenarioPage;
  readonly opened: OpenedBrowser;
  readonly log: EventLog;
  readonly words: PageWords;
  readonly policy: OriginPolicy;
  readonly events: readonly ScenarioEventKind[];
}

/** Watches for what happens beside the page: its end, windows that it opens, downloads. Downloads of our own browser are denied. */
export async function watchBrowser({ connection, page, opened, log, words, policy, events }: WatchedBrowser): Promise<void> {
  const owned = opened.launched !== null;
  const known = new Set(opened.found.targets.map(({ id }) => id));
  const told = (name: "popups" | "downloads", url: string): boolean => events.includes(name) && policy.allowsUrl(url);
  connection.listen(({ method, params }) => {
    if (method === "Target.targetCreated") {
      const read = created.safeParse(params);
      if (!read.success) return;
      const { targetId, type, url, openerId } = read.data.targetInfo;
      const popup = type === "page" && !known.has(targetId) && (openerId !== undefined || owned);
      if (!popup) return;
      known.add(targetId);
      if (told("popups", url)) log.add({ kind: "popup", url: words.url(url), closed: owned });
      if (owned) void connection.command("Target.closeTarget", { targetId }, nothing).catch(() => undefined);
    }
    if (method === (owned ? "Browser.downloadWillBegin" : "Page.downloadWillBegin")) {
      const read = download.safeParse(params);
      if (read.success && told("downloads", read.data.url)) log.add({ kind: "download", url: words.url(read.data.url), suggested_name: words.word(read.data.suggestedFilename), denied: owned });
    }
  });
  await connection.command("Target.setDiscoverTargets", { discover: true }, nothing);
  if (!owned) return;
  await connection.command("Browser.setDownloadBehavior", { behavior: "deny", eventsEnabled: true }, nothing).catch((error: unknown) => {
    if (!(error instanceof CommandRefused)) throw error;
  });
  page.check();
}
