import { z, type WebDomNode, type WebMetadata } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import { LimitedList } from "./capture-notes.js";
import type { CollectorContext } from "./collector.js";
import { declaredElement } from "./declared-elements.js";
import { pageText, pageUrl, pageWord } from "./page-text.js";
import type { KnownFrame } from "./frame-map.js";

const index = z.int().min(-1);
const rare = z.looseObject({ index: z.array(z.int().nonnegative()), value: z.array(index) });
const documentShape = z.looseObject({
  frameId: index,
  nodes: z.looseObject({
    parentIndex: z.array(index),
    nodeType: z.array(z.int()),
    nodeName: z.array(index),
    nodeValue: z.array(index),
    attributes: z.array(z.array(index)),
    shadowRootType: rare.optional(),
  }),
});
const snapshot = z.looseObject({ documents: z.array(documentShape), strings: z.array(z.string()) });

type RawDocument = z.output<typeof documentShape>;

const nodeTypes = new Map<number, WebDomNode["type"]>([
  [1, "element"],
  [3, "text"],
  [4, "cdata"],
  [7, "processing_instruction"],
  [8, "comment"],
  [9, "document"],
  [10, "doctype"],
  [11, "fragment"],
]);

/** Structure of the documents of allowed frames, and what they declare in `meta` and `link` elements. */
export class DomReader {
  readonly #context: CollectorContext;
  readonly #nodes: LimitedList<WebDomNode>;
  readonly #declared: WebMetadata[] = [];

  constructor(context: CollectorContext) {
    this.#context = context;
    this.#nodes = new LimitedList(context.limits.dom_nodes, "dom", context.notes);
  }

  get items(): readonly WebDomNode[] {
    return this.#nodes.items;
  }

  get metadata(): readonly WebMetadata[] {
    return this.#declared;
  }

  /** Documents of one process, in the order of their frames. */
  async read(session: TargetSession): Promise<void> {
    const { documents, strings } = await session.command("DOMSnapshot.captureSnapshot", { computedStyles: [] }, snapshot);
    const text = (at: number | undefined): string => (at === undefined || at < 0 ? "" : (strings[at] ?? ""));
    const found = documents.map((document) => ({ document, frame: this.#context.frames.find(text(document.frameId)) }));
    for (const { document, frame } of found) if (frame === "excluded") this.#context.notes.exclude("dom", document.nodes.nodeType.length);
    const ofFrames = this.#context.frames.frames.flatMap((frame) => found.flatMap(({ document, frame: its }) => (its === frame ? [{ document, frame }] : [])));
    for (const { document, frame } of ofFrames) this.#add(document, frame, text);
  }

  #add({ nodes }: RawDocument, frame: KnownFrame, text: (at: number | undefined) => string): void {
    const shadow = new Map(nodes.shadowRootType?.index.map((at, position) => [at, text(nodes.shadowRootType?.value[position])]));
    /** New position of each node that was kept; undefined for those inside the browser's own controls. */
    const kept: (number | undefined)[] = [];
    let next = 0;
    for (const [at, parentAt] of nodes.parentIndex.entries()) {
      const parent = parentAt < 0 ? null : kept[parentAt];
      if (parent === undefined || shadow.get(at) === "user-agent") {
        kept.push(undefined);
        continue;
      }
      kept.push(next);
      next += 1;
      const pairs = attributePairs(nodes.attributes[at] ?? [], text);
      const type = nodeTypes.get(nodes.nodeType[at] ?? 0) ?? "other";
      this.#nodes.add({
        frame: frame.key,
        parent,
        type,
        name: pageWord(text(nodes.nodeName[at])),
        value_length: text(nodes.nodeValue[at]).length,
        attributes: pairs.slice(0, 64).map(([name]) => pageWord(name)),
        shadow_root: shadowMode(shadow.get(at)),
      });
      if (type === "element") this.#declare(text(nodes.nodeName[at]), new Map(pairs), frame);
    }
  }

  #declare(element: string, attributes: ReadonlyMap<string, string>, frame: KnownFrame): void {
    const found = declaredElement(element, attributes, frame.url);
    if (found === undefined || this.#declared.length >= 200) return;
    const { policy, notes, limits } = this.#context;
    if (found.url !== null && !policy.allowsUrl(found.url)) {
      notes.exclude("metadata");
      return;
    }
    const { text, truncated } = pageText(found.url === null ? found.value : pageUrl(found.url), limits.text_bytes);
    // A URL is escaped already.
    const value = found.url === null ? text : pageUrl(found.url);
    this.#declared.push({ frame: frame.key, name: pageWord(found.name), value, value_truncated: found.url === null && truncated, source: "document_element", trust: "page-declared-untrusted", url: null });
  }
}

function attributePairs(flat: readonly number[], text: (at: number | undefined) => string): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([text(flat[at]), text(flat[at + 1])]);
  return pairs;
}

function shadowMode(mode: string | undefined): WebDomNode["shadow_root"] {
  return mode === "open" || mode === "closed" ? mode : null;
}
