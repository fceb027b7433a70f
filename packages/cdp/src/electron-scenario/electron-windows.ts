import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "@rea/core";
import { Connection } from "../protocol/connection.js";
import { discover, type DiscoveryContext } from "../protocol/discovery.js";
import { parseEndpoint } from "../protocol/endpoint.js";
import { PageControl } from "../scenario/page-control.js";
import { ScenarioPage } from "../scenario/scenario-page.js";
import { windowMethods } from "./electron-methods.js";

const anything = z.looseObject({});

export interface ElectronWindow {
  readonly page: ScenarioPage;
  readonly control: PageControl;
}

interface SeenWindow {
  readonly targetId: string;
  url: string;
  title: string;
}

/** The windows of an application over the port its renderers are debugged at, in the order in which they appeared. */
export class ElectronWindows {
  readonly #profile: string;
  readonly #base: Omit<DiscoveryContext, "endpoint">;
  readonly #most: number;
  readonly #seen: SeenWindow[] = [];
  readonly #open = new Map<string, ElectronWindow>();
  #connection: Connection | null = null;
  /** More windows than are followed. */
  truncated = false;

  constructor(profile: string, base: Omit<DiscoveryContext, "endpoint">, most: number) {
    this.#profile = profile;
    this.#base = base;
    this.#most = most;
  }

  /** All that were seen, with what they last showed. */
  get seen(): readonly Readonly<SeenWindow>[] {
    return this.#seen;
  }

  /** Looks for windows; false as long as the application has not opened its port. */
  async look(): Promise<boolean> {
    const context = await this.#context();
    if (context === null) return false;
    const { targets, browserSocket } = await discover(context);
    for (const { id, type, url, title } of targets) {
      if (type !== "page") continue;
      const known = this.#seen.find(({ targetId }) => targetId === id);
      if (known !== undefined) Object.assign(known, { url, title });
      else if (this.#seen.length < this.#most) this.#seen.push({ targetId: id, url, title });
      else this.truncated = true;
    }
    if (browserSocket !== null && this.#connection?.failure !== null) {
      this.#open.clear();
      this.#connection = await Connection.open({ url: browserSocket, allow: windowMethods, operation: this.#base.operation, signal: this.#base.signal });
      await this.#connection.command("Target.setDiscoverTargets", { discover: true }, anything);
    }
    return true;
  }

  /** A window to act in; null when there is none of this number now. */
  async window(index: number): Promise<ElectronWindow | null> {
    await this.look();
    const target = this.#seen[index];
    const connection = this.#connection;
    if (target === undefined || connection === null) return null;
    const held = this.#open.get(target.targetId);
    if (held !== undefined && held.page.over === null) return held;
    const page = await ScenarioPage.attach({ connection, targetId: target.targetId, ...this.#base });
    await page.session.enable("Page");
    await page.session.tell("Page.setLifecycleEventsEnabled", { enabled: true });
    const window = { page, control: new PageControl(page.session, page.world) };
    this.#open.set(target.targetId, window);
    return window;
  }

  close(): void {
    this.#connection?.close();
  }

  async #context(): Promise<DiscoveryContext | null> {
    const text = await readFile(join(this.#profile, "DevToolsActivePort"), "latin1").catch(() => "");
    const port = /^(\d{1,5})\n\//.exec(text)?.[1];
    if (port === undefined) return null;
    return { ...this.#base, endpoint: parseEndpoint(`http://127.0.0.1:${port}`, { operation: this.#base.operation, field: "endpoint" }) };
  }
}
