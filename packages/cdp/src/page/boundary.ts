import { observationError } from "../protocol/failures.js";
import type { TargetSession } from "../protocol/target-session.js";
import type { AdmittedPage } from "../targets/attach.js";
import { originOf } from "../targets/origins.js";
import { frameTreeReply } from "./frame-map.js";

/** The document that a capture is about. */
export interface Boundary {
  readonly frameId: string;
  readonly loaderId: string;
}

/** Takes the main frame's document; the page must still be of the origin that was admitted. */
export async function takeBoundary(session: TargetSession, page: AdmittedPage): Promise<Boundary> {
  const { frameTree } = await session.command("Page.getFrameTree", {}, frameTreeReply);
  const { id, loaderId, url } = frameTree.frame;
  if (!page.policy.allows(originOf(url))) throw changed(page);
  return { frameId: id, loaderId };
}

/** Throws `target_changed` when the main frame has another document now. */
export async function requireBoundary(session: TargetSession, page: AdmittedPage, boundary: Boundary): Promise<void> {
  requireSame(await takeBoundary(session, page), page, boundary);
}

/** The same for a document that was just read. */
export function requireSame(now: Boundary, page: AdmittedPage, boundary: Boundary): void {
  if (now.frameId !== boundary.frameId || now.loaderId !== boundary.loaderId) throw changed(page);
}

function changed({ context }: AdmittedPage): Error {
  return observationError({
    operation: context.operation,
    reason: "target_changed",
    message: "The page went to another document while it was looked at, so what was seen is discarded. Call again when it has come to rest.",
  });
}
