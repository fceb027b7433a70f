import { join } from "node:path";
import type { Target } from "@rea/provider";
import { AnnotationLog } from "./annotation-log.js";
import { AnnotationStore } from "./annotation-store.js";

/** The annotations of a target: one log a file digest. */
export function annotationsOf(
  target: Pick<Target, "sha256" | "architecture" | "raw">,
  stateDirectory: string,
): AnnotationStore {
  const log = new AnnotationLog(join(stateDirectory, "annotations", `${target.sha256 ?? "unknown"}.ndjson`));
  return new AnnotationStore(log, imageKey(target));
}

/** Slices and raw mappings of one file have addresses of their own. */
function imageKey({ architecture, raw }: Pick<Target, "architecture" | "raw">): string {
  if (raw !== null) return `raw ${raw.architecture} ${raw.base} ${raw.endian}`;
  return architecture ?? "image";
}
