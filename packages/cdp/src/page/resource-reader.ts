import { canonicalSha256, z, type WebResource, type WebScript } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import { LimitedList } from "./capture-notes.js";
import type { CollectorContext } from "./collector.js";
import type { KnownFrame } from "./frame-map.js";
import { pageUrl, pageWord } from "./page-text.js";

const resource = z.looseObject({
  url: z.string(),
  type: z.string(),
  mimeType: z.string(),
  contentSize: z.number().nonnegative().optional(),
  failed: z.boolean().optional(),
  canceled: z.boolean().optional(),
});
interface RawTree {
  readonly frame: { readonly id: string };
  readonly resources: readonly z.output<typeof resource>[];
  readonly childFrames?: readonly RawTree[] | undefined;
}
const treeShape: z.ZodType<RawTree> = z.lazy(() => {
  return z.looseObject({ frame: z.looseObject({ id: z.string() }), resources: z.array(resource), childFrames: z.array(treeShape).optional() });
});
const reply = z.looseObject({ frameTree: treeShape });

type Found = Omit<WebResource, "script_match"> & { readonly isScript: boolean };

/** What the documents of allowed frames have loaded, as the browser's cache of the page knows it. */
export class ResourceReader {
  readonly #context: CollectorContext;
  readonly #found: LimitedList<Found>;

  constructor(context: CollectorContext) {
    this.#context = context;
    this.#found = new LimitedList(context.limits.resources, "resources", context.notes);
  }

  async read(session: TargetSession): Promise<void> {
    const { frameTree } = await session.command("Page.getResourceTree", {}, reply);
    this.#addTree(frameTree);
  }

  /** The section, matched with the scripts of the same frames; in the order of frame, URL and type. */
  items(scripts: readonly WebScript[]): WebResource[] {
    const counted = new Map<string, number>();
    for (const { frame, url, start_line, start_column } of scripts) {
      // A script that begins elsewhere than its file is inline in a document.
      if (start_line === 0 && start_column === 0) counted.set(matchKey(frame, url), (counted.get(matchKey(frame, url)) ?? 0) + 1);
    }
    return this.#found.items
      .map(({ isScript, ...item }) => ({ ...item, script_match: isScript ? matchOf(counted.get(matchKey(item.frame, item.url)) ?? 0) : null }))
      .sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1));
  }

  #addTree({ frame, resources, childFrames }: RawTree): void {
    const known = this.#context.frames.find(frame.id);
    if (known === "excluded") this.#context.notes.exclude("resources", resources.length);
    else {
      this.#add(known, { url: known.url, type: "Document", mimeType: known.mediaType });
      for (const item of resources) this.#add(known, item);
    }
    for (const child of childFrames ?? []) this.#addTree(child);
  }

  #add(frame: KnownFrame, raw: z.output<typeof resource>): void {
    const { policy, notes } = this.#context;
    if (!policy.allowsUrl(raw.url)) {
      notes.exclude("resources");
      return;
    }
    const identity = { frame: frame.key, url: pageUrl(raw.url), type: pageWord(raw.type), media_type: pageWord(raw.mimeType) };
    this.#found.add({
      resource_id: `res_${canonicalSha256(identity)}`,
      ...identity,
      bytes: raw.contentSize === undefined ? null : Math.trunc(raw.contentSize),
      state: raw.failed === true ? "failed" : raw.canceled === true ? "canceled" : "loaded",
      isScript: raw.type === "Script",
    });
  }
}

function matchKey(frame: string | null, url: string): string {
  return `${frame ?? ""} ${url}`;
}

function matchOf(count: number): NonNullable<WebResource["script_match"]> {
  if (count === 0) return "unmatched";
  return count === 1 ? "exact" : "ambiguous";
}

function orderKey({ frame, url, type, resource_id }: WebResource): string {
  return [frame, url, type, resource_id].join("\u0000");
}
