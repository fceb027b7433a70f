import { detectFormat, isArchiveFormat } from "@rea/binary";
import { memorySource } from "@rea/core";
import { isOpened } from "../formats/format-titles.js";
import { mayCarry } from "../hints/leaf-hints.js";
import type { ReadFile } from "../reading/read-file.js";
import { roleOf } from "./classify.js";
import { newPlace, type Place } from "./place.js";
import type { WalkState } from "./walk-state.js";
import { wantsInspection } from "./wants-inspection.js";

/** A directory whose files are placed one after another. */
export interface PlainDirectory {
  readonly place: Place;
  /** Logical path of the directory with a slash at its end; empty for the root. */
  readonly prefix: string;
}

/**
 * Makes the places of small files that were read and hashed already, of which nothing is declared and whose names stand in
 * a path as they are: what the walk does with every member comes to this for them.
 */
export class PlainFiles {
  readonly #state: WalkState;

  constructor(state: WalkState) {
    this.#state = state;
  }

  /** Undefined for a file with more to it, which is to be looked at as any other member; nothing was done for it then. */
  place({ place: parent, prefix }: PlainDirectory, name: string, file: ReadFile): Place | undefined {
    const { content, sha256, artifactDigits, executable } = file;
    const bytes = content.byteLength;
    const { budget } = this.#state;
    if (!file.unchanged || bytes > budget.limits.maxEntryBytes || bytes > budget.bytesLeft) return undefined;
    const { format } = detectFormat(memorySource(content), name);
    if (isArchiveFormat(format) || isOpened(format) || wantsInspection(format) || mayCarry(format, content)) return undefined;
    const { kind, mediaType } = roleOf(format, content, name, false);
    budget.spend(bytes, true);
    const place = newPlace({
      parent,
      logicalPath: prefix + name,
      duplicateIndex: 0,
      segment: name,
      rawName: null,
      entryKind: "file",
      contentState: "materialized",
      declaredBytes: bytes,
      sha256,
      artifactDigits,
      bytes,
      hashStatus: "verified",
      // That of its size, which the system told when it was opened.
      declaredChecks: 1,
      format,
      kind,
      mediaType,
      executable,
    });
    parent.children.push(place);
    return place;
  }
}
