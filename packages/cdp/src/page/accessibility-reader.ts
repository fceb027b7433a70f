import { z, type WebAccessibilityNode } from "@rea/core";
import { LimitedList } from "./capture-notes.js";
import type { CollectorContext } from "./collector.js";
import type { KnownFrame } from "./frame-map.js";
import { pageText, pageWord } from "./page-text.js";
import type { TargetSession } from "../protocol/target-session.js";

const value = z.looseObject({ value: z.unknown().optional() });
const node = z.looseObject({
  nodeId: z.string(),
  ignored: z.boolean(),
  role: value.optional(),
  name: value.optional(),
  value: value.optional(),
  properties: z.array(z.looseObject({ name: z.string() })).optional(),
  parentId: z.string().optional(),
  childIds: z.array(z.string()).optional(),
});
const tree = z.looseObject({ nodes: z.array(node) });
type RawNode = z.output<typeof node>;

/** What assistive programs are told of the page: roles, states, and on request names. */
export class AccessibilityReader {
  readonly #context: CollectorContext;
  readonly #nodes: LimitedList<WebAccessibilityNode>;

  constructor(context: CollectorContext) {
    this.#context = context;
    this.#nodes = new LimitedList(context.limits.accessibility_nodes, "accessibility", context.notes);
  }

  get items(): readonly WebAccessibilityNode[] {
    return this.#nodes.items;
  }

  async read(session: TargetSession, frame: KnownFrame): Promise<void> {
    const { nodes } = await session.command("Accessibility.getFullAXTree", { frameId: frame.id }, tree);
    const position = new Map<string, number>();
    for (const raw of inDocumentOrder(nodes)) {
      const parent = raw.parentId === undefined ? null : (position.get(raw.parentId) ?? null);
      position.set(raw.nodeId, position.size);
      this.#nodes.add(this.#item(raw, parent, frame));
    }
  }

  #item(raw: RawNode, parent: number | null, frame: KnownFrame): WebAccessibilityNode {
    const { include, limits } = this.#context;
    const name = textOf(raw.name?.value);
    const shown = include.has("accessibility_text") ? pageText(name, limits.text_bytes) : { text: null, truncated: false };
    return {
      frame: frame.key,
      parent,
      role: pageWord(textOf(raw.role?.value)),
      ignored: raw.ignored,
      name_length: name.length,
      value_length: textOf(raw.value?.value).length,
      name: shown.text,
      name_truncated: shown.truncated,
      properties: (raw.properties ?? []).map((property) => pageWord(property.name)).sort(),
    };
  }
}

/** The browser gives the nodes in no order that holds; their children are in order. */
function inDocumentOrder(nodes: readonly RawNode[]): RawNode[] {
  const byId = new Map(nodes.map((item) => [item.nodeId, item]));
  const waiting = nodes.filter(({ parentId }) => parentId === undefined || !byId.has(parentId)).reverse();
  const ordered = new Set<RawNode>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (ordered.has(next)) continue;
    ordered.add(next);
    const children = (next.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
    waiting.push(...children.reverse());
  }
  return [...ordered];
}

function textOf(found: unknown): string {
  if (typeof found === "string") return found;
  return typeof found === "number" || typeof found === "boolean" ? String(found) : "";
}
