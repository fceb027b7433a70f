import { z, type BrowserAction } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import type { TargetSession } from "../protocol/target-session.js";
import { WorldGone, type HeldElement, type IsolatedWorld } from "./isolated-world.js";

/** How an action names its element. */
export interface Locator {
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  readonly text?: string | undefined;
  readonly test_id?: string | undefined;
  readonly css?: string | undefined;
  readonly match: "exact" | "contains";
}

/** What a locator has now: how many elements, and the first one. */
export interface Located {
  /** -1 for a selector that is none. */
  readonly count: number;
  readonly element: HeldElement | null;
}

const nodes = z.looseObject({
  nodes: z.array(z.looseObject({ ignored: z.boolean(), backendDOMNodeId: z.int().optional(), name: z.looseObject({ value: z.unknown().optional() }).optional() })),
});

export function hasLocator(action: BrowserAction): action is Extract<BrowserAction, { match: unknown }> {
  return "match" in action && [action.role, action.text, action.test_id, action.css].some((way) => way !== undefined);
}

/** Looks once, in the main frame; frames inside it are not looked into. Throws `WorldGone`. */
export async function locate(session: TargetSession, world: IsolatedWorld, locator: Locator): Promise<Located> {
  if (locator.role !== undefined) return locateByRole(session, world, locator.role, locator);
  const { css, test_id: testId, text = "", match } = locator;
  const [kind, value] = css !== undefined ? (["css", css] as const) : testId !== undefined ? (["test_id", testId] as const) : (["text", text] as const);
  const count = await world.call("find", [kind, value, match === "contains"], z.int());
  return { count, element: count > 0 ? await world.element("first") : null };
}

/** Chromium's own words for two roles of ARIA. */
const ownWords = new Map([["img", "image"]]);

/** As assistive programs see the page: what is hidden from them has no role. */
async function locateByRole(session: TargetSession, world: IsolatedWorld, role: string, { name, match }: Locator): Promise<Located> {
  const document = await world.document();
  const asked = { objectId: document.objectId, role: ownWords.get(role.toLowerCase()) ?? role };
  const found = await session.command("Accessibility.queryAXTree", match === "exact" && name !== undefined ? { ...asked, accessibleName: name } : asked, nodes).catch((error: unknown) => {
    throw error instanceof CommandRefused ? new WorldGone() : error;
  });
  const fitting = found.nodes.filter((node) => !node.ignored && node.backendDOMNodeId !== undefined && hasName(node.name?.value, name, match));
  const [first] = fitting;
  const element = first?.backendDOMNodeId === undefined ? null : await world.resolve(first.backendDOMNodeId);
  return { count: fitting.length, element };
}

function hasName(actual: unknown, wanted: string | undefined, match: Locator["match"]): boolean {
  if (wanted === undefined || match === "exact") return true;
  return typeof actual === "string" && actual.toLowerCase().includes(wanted.toLowerCase());
}
