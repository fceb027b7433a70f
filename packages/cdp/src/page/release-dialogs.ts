import { z } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";

const opening = z.looseObject({ hasBrowserHandler: z.boolean(), type: z.string() });

/**
 * A browser without windows leaves dialogs to the client that watches the page, and the page waits. Leaving the Page domain
 * for a moment lets the dialog go the way it would have gone unwatched; no answer is given to it.
 */
export function releaseDialogs(session: TargetSession, told: (type: string) => void): void {
  session.on("Page.javascriptDialogOpening", opening, ({ hasBrowserHandler, type }) => {
    told(type);
    if (hasBrowserHandler) return;
    // What fails here ends the connection or is answered late, which is told where the page is waited for.
    session.tell("Page.disable").then(() => session.tell("Page.enable")).catch(() => undefined);
  });
}
