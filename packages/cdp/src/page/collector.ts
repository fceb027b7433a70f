import type { WebInclude, WebLimits } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import type { OriginPolicy } from "../targets/origins.js";
import type { CaptureNotes } from "./capture-notes.js";
import type { FrameMap } from "./frame-map.js";

/** What everything that gathers events of a page works with. */
export interface CollectorContext {
  readonly frames: FrameMap;
  readonly policy: OriginPolicy;
  readonly notes: CaptureNotes;
  readonly limits: WebLimits;
  readonly include: ReadonlySet<WebInclude>;
}

/** Gathers the events of one section over all sessions of a page. */
export interface Collector {
  /** Listens; called for each session before its domains are enabled. */
  listen(session: TargetSession): void;
}
