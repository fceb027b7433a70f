import type { WebStorage } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import type { CollectorContext } from "./collector.js";
import { readCaches, readDatabases } from "./database-reader.js";
import type { FrameMap } from "./frame-map.js";
import { onOwnConnection, type PageState } from "./own-connection.js";
import { readCookies, readDomStorage, storageItems, storagePlaces, type StorageContent, type StoragePlace } from "./storage-reader.js";

type Reader = (session: TargetSession, place: StoragePlace) => Promise<StorageContent | null>;

/** Every storage of the allowed frames; what may be large over a connection of its own, the rest over one. */
export async function readStorages(state: PageState, context: CollectorContext): Promise<WebStorage[]> {
  const ofPlaces = (read: Reader) => onOwnConnection(state, "storage", (_, frames) => readPlaces(frames, read));
  const [rest, local, session] = await Promise.all([
    onOwnConnection(state, "storage", async (attached, frames) => ({
      cookies: await readCookies(attached.session, frames.frames),
      databases: [...(await readPlaces(frames, readDatabases)), ...(await readPlaces(frames, readCaches))],
    })),
    ofPlaces((of, place) => readDomStorage(of, place, "local")),
    ofPlaces((of, place) => readDomStorage(of, place, "session")),
  ]);
  return storageItems([...(rest?.cookies ?? []), ...(local ?? []), ...(session ?? []), ...(rest?.databases ?? [])], context);
}

async function readPlaces(frames: FrameMap, read: Reader): Promise<StorageContent[]> {
  const found: StorageContent[] = [];
  for (const place of await storagePlaces(frames.frames)) {
    const content = await read(place.frame.session, place);
    if (content !== null) found.push(content);
  }
  return found;
}
