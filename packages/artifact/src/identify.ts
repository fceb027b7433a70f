import type { SubjectFormat } from "@rea/core";
import { formatTitles } from "./formats/format-titles.js";
import type { ArtifactKind } from "./graph/graph.js";
import type { Artifact } from "./open-artifact.js";
import { roleOf } from "./walk/classify.js";

/** What something is, by its first bytes and its name. */
export interface Identification {
  readonly name: string;
  readonly format: SubjectFormat;
  /** The format as people write it; null where there is nothing more to say than the identifier. */
  readonly title: string | null;
  readonly kind: ArtifactKind;
  readonly mediaType: string | null;
  /** Of an executable for one processor. */
  readonly architecture: string | null;
  /** Null for a directory. */
  readonly bytes: number | null;
  /** Whether `inventory` and `extract` look inside. */
  readonly opens: boolean;
}

const headBytes = 64 * 1024;

/** Tells what an artifact is without reading it: 64 KiB at most, no member, no digest. */
export function identify({ name, root }: Artifact): Identification {
  if (root.kind === "directory") {
    return { name, format: "directory", title: "directory", kind: "container", mediaType: null, architecture: null, bytes: null, opens: true };
  }
  const source = root.kind === "file" ? root.file : root.source;
  const title = formatTitles[root.format];
  const role = roleOf(root.format, source.read(0, Math.min(headBytes, source.size)), name, title !== undefined);
  return {
    name,
    format: root.format,
    title: title ?? null,
    kind: role.kind,
    mediaType: role.mediaType,
    architecture: role.architecture,
    bytes: source.size,
    opens: title !== undefined,
  };
}
