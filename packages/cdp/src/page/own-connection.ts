import { omission, type Omission, type WebSection } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import { reasonOf } from "../protocol/failures.js";
import { attachPage, type AdmittedPage, type AttachedPage } from "../targets/attach.js";
import { requireBoundary, requireSame, type Boundary } from "./boundary.js";
import { CaptureNotes } from "./capture-notes.js";
import { FrameMap } from "./frame-map.js";

/** What reading a state of the page (as against watching events) works with. */
export interface PageState {
  readonly page: AdmittedPage;
  readonly boundary: Boundary;
  readonly notes: CaptureNotes;
  readonly frameLimit: number;
  /** The frames as they were watched; their keys hold for the whole capture. */
  readonly watched: FrameMap;
}

/**
 * Reads a section over a connection of its own, with its own view of the frames: an answer that is too large or does not
 * come ends this section, and no other. Throws what concerns the page as a whole.
 */
export async function onOwnConnection<T>({ page, boundary, notes, frameLimit, watched }: PageState, section: WebSection, read: (attached: AttachedPage, frames: FrameMap) => Promise<T>): Promise<T | undefined> {
  const attached = await attachPage(page);
  try {
    // Excluded frames are counted once, by the view that watches.
    const frames = new FrameMap(page, { limit: frameLimit, notes: new CaptureNotes(), keys: watched });
    requireSame(await frames.read(attached), page, boundary);
    const found = await read(attached, frames);
    await requireBoundary(attached.session, page, boundary);
    return found;
  } catch (error) {
    const left = omissionOf(error, section);
    if (left === undefined) throw error;
    // Storage is read in parts; the others stand when one does not come.
    if (section === "storage") notes.cut(section, left);
    else notes.missing(section, left);
    return undefined;
  } finally {
    await attached.close();
  }
}

function omissionOf(error: unknown, section: WebSection): Omission | undefined {
  if (error instanceof CommandRefused) return omission(section, "unreadable", { how_to_continue: "The browser refuses to tell; another version of it may." });
  switch (reasonOf(error)) {
    case "payload_limit":
      return omission(section, "limit_total_bytes", { how_to_continue: "What the browser has to say about this section is larger than one message may be." });
    case "timeout":
      return omission(section, "limit_time", { how_to_continue: "Call again when the page is less busy." });
    default:
      return undefined;
  }
}
