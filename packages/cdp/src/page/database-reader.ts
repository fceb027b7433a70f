import { z } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import { digestible, originOfKey, type StorageContent, type StoragePlace } from "./storage-reader.js";

const names = z.looseObject({ databaseNames: z.array(z.string()) });
const keyPath = z.looseObject({ type: z.string(), string: z.string().optional(), array: z.array(z.string()).optional() });
const database = z.looseObject({
  databaseWithObjectStores: z.looseObject({
    name: z.string(),
    version: z.number(),
    objectStores: z.array(
      z.looseObject({
        name: z.string(),
        keyPath,
        autoIncrement: z.boolean(),
        indexes: z.array(z.looseObject({ name: z.string(), keyPath, unique: z.boolean(), multiEntry: z.boolean() })),
      }),
    ),
  }),
});
const metadata = z.looseObject({ entriesCount: z.number() });
const cacheNames = z.looseObject({ caches: z.array(z.looseObject({ cacheId: z.string(), cacheName: z.string() })) });
const cacheEntries = z.looseObject({
  cacheDataEntries: z.array(
    z.looseObject({
      requestURL: z.string(),
      requestMethod: z.string(),
      responseStatus: z.int(),
      responseHeaders: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    }),
  ),
  returnCount: z.number(),
});

/** Most stores of databases and most entries of caches that are asked about in one place. */
const most = 1000;
const pageSize = 200;

type Entry = StorageContent["entries"][number];

/** Databases of one place: their stores, indexes and numbers of records; no record is read. */
export async function readDatabases(session: TargetSession, { key }: StoragePlace): Promise<StorageContent | null> {
  const { databaseNames } = await session.command("IndexedDB.requestDatabaseNames", { storageKey: key }, names);
  if (databaseNames.length === 0) return null;
  const entries: Entry[] = [];
  let records = 0;
  let whole = true;
  for (const databaseName of databaseNames) {
    const { databaseWithObjectStores: found } = await session.command("IndexedDB.requestDatabase", { storageKey: key, databaseName }, database);
    entries.push({ name: found.name, content: { version: digestible(String(found.version)) } });
    for (const store of found.objectStores) {
      if (entries.length >= most) {
        whole = false;
        break;
      }
      const { entriesCount } = await session.command("IndexedDB.getMetadata", { storageKey: key, databaseName, objectStoreName: store.name }, metadata);
      records += Math.trunc(entriesCount);
      entries.push({ name: `${found.name}/${store.name}`, content: { records: Math.trunc(entriesCount), key_path: pathText(store.keyPath), auto_increment: store.autoIncrement } });
      for (const index of store.indexes) {
        entries.push({ name: `${found.name}/${store.name}/${index.name}`, content: { key_path: pathText(index.keyPath), unique: index.unique, multi_entry: index.multiEntry } });
      }
    }
  }
  return { scope: "indexed_database", origin: originOfKey(key), covers: "structure_and_counts", whole, count: records, entries };
}

/** Caches of one place: requests, and status and headers of what answers them; no body is read. */
export async function readCaches(session: TargetSession, { key }: StoragePlace): Promise<StorageContent | null> {
  const { caches } = await session.command("CacheStorage.requestCacheNames", { storageKey: key }, cacheNames);
  if (caches.length === 0) return null;
  const entries: Entry[] = [];
  let count = 0;
  for (const { cacheId, cacheName } of caches) {
    entries.push({ name: cacheName, content: {} });
    for (let skipCount = 0; ; skipCount += pageSize) {
      const page = await session.command("CacheStorage.requestEntries", { cacheId, skipCount, pageSize }, cacheEntries);
      if (skipCount === 0) count += Math.trunc(page.returnCount);
      for (const { requestURL, requestMethod, responseStatus, responseHeaders } of page.cacheDataEntries) {
        const headers = responseHeaders.map(({ name, value }) => [digestible(name), digestible(value)]);
        entries.push({ name: `${cacheName} ${requestURL}`, content: { method: digestible(requestMethod), status: responseStatus, headers } });
      }
      if (page.cacheDataEntries.length < pageSize || entries.length >= most) break;
    }
  }
  return { scope: "cache", origin: originOfKey(key), covers: "requests_and_headers", whole: entries.length === count + caches.length, count, entries };
}

function pathText({ type, string, array }: z.output<typeof keyPath>): string[] {
  return [type, ...(string === undefined ? [] : [string]), ...(array ?? [])].map((text) => text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
