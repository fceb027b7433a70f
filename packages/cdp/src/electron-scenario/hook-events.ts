import { readFile } from "node:fs/promises";
import { electronEventKinds, escapeUntrusted, z, type ElectronEvent } from "@rea/core";
import { pageText, pageWord } from "../page/page-text.js";
import { shownUrl } from "../targets/shown-url.js";

const line = z.object({
  at: z.number(),
  kind: z.enum(electronEventKinds),
  event: z.string(),
  contents: z.int().nonnegative().nullish(),
  url: z.string().nullish(),
  name: z.string().nullish(),
  blocked: z.boolean().optional(),
  direction: z.enum(["to_main", "to_renderer", "registered"]).optional(),
  argument_shapes: z.array(z.string()).optional(),
  reason: z.string().nullish(),
});

export interface HookEventsOptions {
  /** By `Date.now()`. */
  readonly startedAt: number;
  /** When each action began, by `Date.now()`. */
  readonly actionsAt: readonly number[];
  /** Paths that stand for something, with the word that takes their place. */
  readonly places: readonly { readonly path: string; readonly word: string }[];
}

export interface HookEvents {
  readonly events: ElectronEvent[];
  /** Lines that were no event: the application can write into the file too. */
  readonly unreadable: number;
}

/** What the hook wrote, in order, in the form in which it is kept. */
export async function readHookEvents(file: string, { startedAt, actionsAt, places }: HookEventsOptions): Promise<HookEvents> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.split("\n").filter((each) => each !== "");
  const events: ElectronEvent[] = [];
  for (const each of lines) {
    const read = line.safeParse(parsed(each));
    if (!read.success) continue;
    const { at, kind, event, contents, url, name, blocked, direction, argument_shapes: shapes, reason } = read.data;
    const action = actionsAt.findLastIndex((began) => began <= at);
    events.push({
      order: events.length + 1,
      at_ms: Math.max(0, Math.round(at - startedAt)),
      action: action < 0 ? null : action,
      kind,
      event: pageWord(event),
      contents: contents ?? null,
      url: url === null || url === undefined ? null : escapeUntrusted(shownUrl(shortened(url, places))),
      name: name === null || name === undefined ? null : pageText(shortened(name, places), 1024).text,
      blocked: blocked ?? false,
      direction: direction ?? null,
      argument_shapes: shapes?.slice(0, 32).map((shape) => pageText(shape, 1024).text) ?? null,
      reason: reason === null || reason === undefined ? null : pageWord(reason),
    });
  }
  return { events, unreadable: lines.length - events.length };
}

/** Paths below the application and the run's own directories, also as parts of `file:` URLs. */
export function shortened(text: string, places: HookEventsOptions["places"]): string {
  return places.reduce((short, { path, word }) => short.replaceAll(encodeURI(path), word).replaceAll(path, word), text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
