import { canonicalDigestOfWhole, compareCodePoints, z, type JsonValue, type WebStorage } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import type { CollectorContext } from "./collector.js";
import type { KnownFrame } from "./frame-map.js";
import { pageText, pageWord } from "./page-text.js";

/** A storage of the page: its key in the browser, and a frame that uses it. */
export interface StoragePlace {
  readonly key: string;
  readonly frame: KnownFrame;
}

const storageKey = z.looseObject({ storageKey: z.string() });
const cookies = z.looseObject({
  cookies: z.array(
    z.looseObject({
      name: z.string(),
      value: z.string(),
      domain: z.string(),
      path: z.string(),
      httpOnly: z.boolean(),
      secure: z.boolean(),
      sameSite: z.string().optional(),
    }),
  ),
});
const domItems = z.looseObject({ entries: z.array(z.array(z.string())) });

/** Storages of the allowed frames, each once, in the order of their frames. */
export async function storagePlaces(frames: readonly KnownFrame[]): Promise<StoragePlace[]> {
  const found = new Map<string, StoragePlace>();
  const origins = new Set<string>();
  for (const frame of frames) {
    // Frames of one origin under one parent share a storage; asking once an origin and process would miss partitions.
    const asked = `${frame.origin} ${frame.parent ?? ""}`;
    if (origins.has(asked)) continue;
    origins.add(asked);
    const { storageKey: key } = await frame.session.command("Storage.getStorageKey", { frameId: frame.id }, storageKey);
    if (!found.has(key)) found.set(key, { key, frame });
  }
  return [...found.values()];
}

/** One storage as a whole, from which names, fingerprint and number are taken. */
export interface StorageContent {
  readonly scope: WebStorage["scope"];
  readonly origin: string;
  readonly covers: WebStorage["covers"];
  /** Everything there was is in `entries`. */
  readonly whole: boolean;
  readonly count: number;
  readonly entries: readonly { readonly name: string; readonly content: JsonValue }[];
}

/** Cookies that go to the documents of allowed frames, by domain. */
export async function readCookies(session: TargetSession, frames: readonly KnownFrame[]): Promise<StorageContent[]> {
  const urls = [...new Set(frames.map(({ url }) => url))].filter((url) => /^https?:/i.test(url));
  const found = await session.command("Network.getCookies", { urls }, cookies);
  const byDomain = new Map<string, StorageContent["entries"][number][]>();
  for (const { name, value, domain, path, httpOnly, secure, sameSite } of found.cookies) {
    // Expiry is left out: sites renew it with every answer.
    const content = [path, digestible(value), httpOnly, secure, sameSite ?? ""];
    byDomain.set(domain, [...(byDomain.get(domain) ?? []), { name, content }]);
  }
  return [...byDomain].map(([origin, entries]) => {
    return { scope: "cookie", origin, covers: "names_and_values", whole: true, count: entries.length, entries };
  });
}

/** Local or session storage of one place. */
export async function readDomStorage(session: TargetSession, { key }: StoragePlace, scope: "local" | "session"): Promise<StorageContent> {
  const { entries } = await session.command("DOMStorage.getDOMStorageItems", { storageId: { storageKey: key, isLocalStorage: scope === "local" } }, domItems);
  return {
    scope,
    origin: originOfKey(key),
    covers: "names_and_values",
    whole: true,
    count: entries.length,
    entries: entries.map(([name = "", value = ""]) => ({ name, content: digestible(value) })),
  };
}

/** Storage keys end with a slash; what follows `^` says under which site a part of it lies. */
export function originOfKey(key: string): string {
  return pageWord(key.replace(/\/(?=\^|$)/, ""));
}

/** Text in the form digests are made of: strings that are no text (half of a pair) as their code units. */
export function digestible(text: string): JsonValue {
  if (!/\p{Surrogate}/u.test(text)) return text;
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

/** The sections' items: names where they were asked for, and within the limit; fingerprints where they were asked for. */
export function storageItems(contents: readonly StorageContent[], { include, limits, notes }: CollectorContext): WebStorage[] {
  let room = limits.storage_keys;
  return contents.map(({ scope, origin, covers, whole, count, entries }) => {
    const sorted = [...entries].sort((a, b) => compareCodePoints(a.name, b.name) || compareCodePoints(JSON.stringify(a.content), JSON.stringify(b.content)));
    const named = include.has("storage_keys") ? sorted.slice(0, room) : null;
    if (named !== null) {
      notes.drop("storage", sorted.length - named.length);
      room -= named.length;
    }
    return {
      scope,
      origin: pageWord(origin),
      entries: count,
      keys: named?.map(({ name }) => pageText(name, limits.text_bytes).text) ?? null,
      fingerprint: include.has("storage_fingerprints") ? fingerprintOf(sorted) : null,
      complete: whole && covers === "names_and_values",
      covers,
    };
  });
}

function fingerprintOf(entries: StorageContent["entries"]): string {
  return canonicalDigestOfWhole(entries.map(({ name, content }) => [digestible(name), content])).sha256;
}
