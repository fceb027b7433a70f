import type { WebStorage } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import type { CollectorContext } from "./collector.js";
import { readCaches, readDatabases } from "./database-reader.js";
import { onOwnConnection, type PageState } from "./own-connection.js";
import { readCookies, readDomStorage, storageItems, storagePlaces, type StorageContent, type StoragePlace } from "./storage-reader.js";

type Reader = (session: TargetSession, place: StoragePlace) => Promise<StorageContent | null>;

/** Every storage of the allowed frames; kinds side by side, each over a connection of its own. */
export async function readStorages(state: PageState, context: CollectorContext): Promise<WebStorage[]> {
  const ofPlaces = (read: Reader) =>
    onOwnConnection(state, "storage", async (_, frames) => {
      const found: StorageContent[] = [];
      for (const place of await storagePlaces(frames.frames)) {
        const content = await read(place.frame.session, place);
        if (content !== null) found.push(content);
      }
      return found;
    });
  const read = await Promise.all([
    onOwnConnection(state, "storage", (attached, frames) => readCookies(attached.session, frames.frames)),
    ofPlaces((session, place) => readDomStorage(session, place, "local")),
    ofPlaces((session, place) => readDomStorage(session, place, "session")),
    ofPlaces(readDatabases),
    ofPlaces(readCaches),
  ]);
  return storageItems(read.flatMap((contents) => contents ?? []), context);
}
