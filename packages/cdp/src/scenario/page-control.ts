import { z } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import type { TargetSession } from "../protocol/target-session.js";
import { until, type Deadline } from "./deadline.js";
import { WorldGone, type HeldElement, type IsolatedWorld } from "./isolated-world.js";
import { keyPress } from "./keys.js";
import { locate, type Locator } from "./locate.js";
import { StepFailed } from "./step-failed.js";

const elementState = z.object({
  connected: z.boolean(),
  visible: z.boolean(),
  enabled: z.boolean(),
  /** In 64ths of a pixel, so that two looks can be compared. */
  box: z.array(z.number()).length(4),
  fill: z.enum(["type", "set", "no"]),
});
const quads = z.looseObject({ quads: z.array(z.array(z.number()).length(8)) });

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Acts on the elements of a page as a person would, waiting until that is possible. */
export class PageControl {
  readonly #session: TargetSession;
  readonly #world: IsolatedWorld;
  /** Elements of the last look. */
  matches: number | null = null;

  constructor(session: TargetSession, world: IsolatedWorld) {
    this.#session = session;
    this.#world = world;
  }

  async click(locator: Locator, deadline: Deadline): Promise<void> {
    await this.#clickAt(await this.#ready(locator, deadline, { pointed: true }));
  }

  /** Replaces what a field holds. `masked`: its text is not to be seen on pictures from now on. */
  async fill(locator: Locator, value: string, { deadline, masked }: { readonly deadline: Deadline; readonly masked: boolean }): Promise<void> {
    const { element, fill } = await this.#ready(locator, deadline, { editable: true });
    if (fill === "set") {
      if (!(await this.#call("setValue", [element, value], z.boolean()))) throw new StepFailed("not_editable", this.matches);
      return;
    }
    const length = await this.#call("selectAll", [element, masked], z.number());
    if (value !== "") await this.#session.tell("Input.insertText", { text: value });
    else if (length > 0) await this.#type("Delete");
  }

  async press(locator: Locator | null, key: string, deadline: Deadline): Promise<void> {
    if (keyPress(key) === null) throw new StepFailed("key_unknown");
    if (locator !== null) {
      const { element } = await this.#ready(locator, deadline, {});
      await this.#session.tell("DOM.focus", { objectId: element.objectId }).catch((error: unknown) => {
        throw error instanceof CommandRefused ? new StepFailed("wrong_element", this.matches) : error;
      });
    }
    await this.#type(key);
  }

  async select(locator: Locator, values: readonly string[], deadline: Deadline): Promise<void> {
    await until(deadline, async () => {
      const found = await this.#look(locator, {});
      if (found instanceof StepFailed) return found;
      const outcome = await this.#world.call("select", [found.element, values], z.enum(["ok", "wrong_element", "option_not_found"]));
      if (outcome === "wrong_element") throw new StepFailed(outcome, this.matches);
      return outcome === "ok" ? null : new StepFailed(outcome, this.matches);
    });
  }

  async check(locator: Locator, wanted: boolean, deadline: Deadline): Promise<void> {
    const ready = await this.#ready(locator, deadline, { pointed: true, checkable: true });
    const state = (): Promise<"yes" | "no" | "none"> => this.#call("checked", [ready.element], z.enum(["yes", "no", "none"]));
    if (((await state()) === "yes") === wanted) return;
    await this.#clickAt(ready);
    await until(deadline, async () => ((await state()) === (wanted ? "yes" : "no") ? null : new StepFailed("state_not_reached", this.matches)));
  }

  async waitFor(locator: Locator, wanted: "attached" | "detached" | "visible" | "hidden", deadline: Deadline): Promise<void> {
    await until(deadline, async () => {
      const found = await locate(this.#session, this.#world, locator);
      this.matches = Math.max(0, found.count);
      if (found.count < 0) throw new StepFailed("locator_invalid");
      if (found.count > 1 && wanted !== "detached") throw new StepFailed("locator_ambiguous", found.count);
      const visible = found.element !== null && (await this.#world.call("state", [found.element], elementState)).visible;
      const reached = { attached: found.count === 1, detached: found.count === 0, visible, hidden: !visible }[wanted];
      if (reached) return null;
      return new StepFailed(found.count === 0 ? "locator_not_found" : "state_not_reached", found.count);
    });
  }

  /** Waits until there is exactly one element, and it can be acted on as is needed. */
  #ready(locator: Locator, deadline: Deadline, needs: Needs): Promise<ReadyElement> {
    let before: string | null = null;
    return until(deadline, async () => {
      const found = await this.#look(locator, needs);
      if (found instanceof StepFailed) return found;
      // In the same place at two looks: a moving element would be missed.
      const box = found.box.join();
      if (box !== before) {
        before = box;
        return new StepFailed("not_stable", this.matches);
      }
      if (needs.pointed !== true) return { ...found, point: null };
      const point = await this.#pointIn(found.element);
      if (point === null) return new StepFailed("not_visible", this.matches);
      return (await this.#world.call("hit", [found.element, point.x, point.y], z.boolean())) ? { ...found, point } : new StepFailed("covered", this.matches);
    });
  }

  async #look(locator: Locator, needs: Needs): Promise<LookedAt | StepFailed> {
    const { count, element } = await locate(this.#session, this.#world, locator);
    this.matches = Math.max(0, count);
    if (count < 0) throw new StepFailed("locator_invalid");
    if (count > 1) throw new StepFailed("locator_ambiguous", count);
    if (element === null) return new StepFailed("locator_not_found", 0);
    await this.#session.tell("DOM.scrollIntoViewIfNeeded", { objectId: element.objectId }).catch((error: unknown) => {
      // Refused for what has no box; the next look says so.
      if (!(error instanceof CommandRefused)) throw error;
    });
    const state = await this.#world.call("state", [element], elementState);
    if (!state.connected || !state.visible) return new StepFailed("not_visible", count);
    if (!state.enabled) return new StepFailed("not_enabled", count);
    if (needs.checkable === true && (await this.#world.call("checked", [element], z.string())) === "none") throw new StepFailed("wrong_element", count);
    if (needs.editable === true && state.fill === "no") return new StepFailed("not_editable", count);
    return { element, box: state.box, fill: state.fill };
  }

  /** Middle of the largest visible piece, in CSS pixels of the viewport. */
  async #pointIn({ objectId }: HeldElement): Promise<Point | null> {
    const found = await this.#session.command("DOM.getContentQuads", { objectId }, quads).catch((error: unknown) => {
      if (error instanceof CommandRefused) return null;
      throw error;
    });
    const boxes = (found?.quads ?? []).map((quad) => {
      const [xs, ys] = [quad.filter((_, index) => index % 2 === 0), quad.filter((_, index) => index % 2 === 1)];
      const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      return { x: (left + right) / 2, y: (top + bottom) / 2, area: (right - left) * (bottom - top) };
    });
    const [largest] = boxes.sort((a, b) => b.area - a.area);
    return largest === undefined || largest.area < 1 ? null : { x: largest.x, y: largest.y };
  }

  async #clickAt({ point }: ReadyElement): Promise<void> {
    if (point === null) throw new StepFailed("not_visible", this.matches);
    const event = { x: point.x, y: point.y, button: "left", clickCount: 1 } as const;
    await this.#session.tell("Input.dispatchMouseEvent", { ...event, type: "mouseMoved", button: "none", clickCount: 0 });
    await this.#session.tell("Input.dispatchMouseEvent", { ...event, type: "mousePressed", buttons: 1 });
    await this.#session.tell("Input.dispatchMouseEvent", { ...event, type: "mouseReleased", buttons: 0 });
  }

  async #type(name: string): Promise<void> {
    const press = keyPress(name);
    if (press === null) throw new StepFailed("key_unknown");
    const { text, ...key } = press;
    await this.#session.tell("Input.dispatchKeyEvent", { ...key, type: text === null ? "rawKeyDown" : "keyDown", ...(text === null ? {} : { text, unmodifiedText: text }) });
    await this.#session.tell("Input.dispatchKeyEvent", { ...key, type: "keyUp" });
  }

  /** For an element that was just looked at: a document that is gone is a failure now. */
  async #call<T extends z.ZodType>(name: string, given: Parameters<IsolatedWorld["call"]>[1], answer: T): Promise<z.output<T>> {
    try {
      return await this.#world.call(name, given, answer);
    } catch (error) {
      throw error instanceof WorldGone ? new StepFailed("locator_not_found", this.matches) : error;
    }
  }
}

interface Needs {
  readonly checkable?: boolean;
  readonly editable?: boolean;
  /** The pointer must reach it. */
  readonly pointed?: boolean;
}

interface LookedAt {
  readonly element: HeldElement;
  readonly box: readonly number[];
  readonly fill: "type" | "set" | "no";
}

interface ReadyElement extends LookedAt {
  readonly point: Point | null;
}
