import { isReaError, ReaError } from "@rea/core";
import type { ContentSink } from "../walk/content-sink.js";
import type { Place } from "../walk/place.js";
import { diskPath } from "./disk-path.js";
import { InFlight } from "./in-flight.js";
import { MemberFile, type MemberOutput, type Ordered, type SkipReason, type WrittenMember } from "./member-file.js";
import type { OutputFile } from "./output-file.js";
import { notWritable, type OutputTree, type RefusedWrite } from "./output-tree.js";
import type { Selection } from "./selection.js";

export type { SkipReason } from "./member-file.js";

/** Files on their way to the disk; of each at most a small content is in memory. */
const filesAtOnce = 32;

/** Writes the selected members of a walk while they are read, and proves each by reading it back. */
export class MemberWriter implements ContentSink, MemberOutput {
  readonly written: WrittenMember[] = [];
  readonly #skipped: (Ordered & { readonly reason: SkipReason })[] = [];
  readonly #tree: OutputTree;
  readonly #selection: Selection;
  readonly #background = new InFlight(filesAtOnce);
  /** Files that are being written. */
  readonly #open = new Set<OutputFile>();
  #begun = 0;
  #failed: ReaError | undefined;

  constructor(tree: OutputTree, selection: Selection) {
    this.#tree = tree;
    this.#selection = selection;
  }

  /** In the order of the walk. */
  get skipped(): readonly { readonly place: Place; readonly reason: SkipReason }[] {
    return [...this.#skipped].sort((a, b) => a.ordinal - b.ordinal);
  }

  begin(place: Place): MemberFile | undefined {
    if (this.#failed !== undefined) throw this.#failed;
    if (place.entryKind !== "file" && place.entryKind !== "slice" && place.entryKind !== "volume") return undefined;
    if (!this.#selection.has(place.logicalPath)) return undefined;
    const member = { place, ordinal: this.#begun };
    this.#begun += 1;
    if (place.safe) return new MemberFile(this, member, diskPath(place.logicalPath, place.duplicateIndex));
    this.skip(member, "unsafe_name");
    return undefined;
  }

  /** Waits until everything written has been proven, and closes what a failed walk left open. Throws how writing failed. */
  async settled(): Promise<void> {
    await this.#background.settled();
    for (const file of this.#open) file.close();
    if (this.#failed !== undefined) throw this.#failed;
    this.#discardDisproved();
  }

  /** Lists that come behind the members they speak of may disprove what is written already. */
  #discardDisproved(): void {
    const disproved = this.written.filter(({ place }) => place.hashStatus !== "verified");
    for (const member of disproved) {
      this.written.splice(this.written.indexOf(member), 1);
      this.#tree.discard(member.relativePath);
      this.skip({ place: member.place, ordinal: this.#begun }, "not_verified");
    }
  }

  skip(member: Ordered, reason: SkipReason): void {
    this.#skipped.push({ ...member, reason });
  }

  async create(relativePath: string): Promise<OutputFile | RefusedWrite> {
    const created = await this.#tree.create(relativePath);
    if (typeof created !== "string") this.#open.add(created);
    return created;
  }

  discard(file: OutputFile, relativePath: string): void {
    file.close();
    this.#open.delete(file);
    this.#tree.discard(relativePath);
  }

  async prove(file: OutputFile, member: WrittenMember): Promise<void> {
    this.#open.delete(file);
    if ((await file.seal()) !== member.sha256) throw readBackDiffers();
    this.written.push(member);
  }

  inBackground(work: () => Promise<void>): Promise<void> {
    return this.#background.start(() => this.noting(work));
  }

  /** Whatever fails here ends the extraction, also where a reader would take it for damage of its container. */
  async noting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failed ??= isReaError(error) ? error : notWritable(error);
      throw this.#failed;
    }
  }
}

function readBackDiffers(): ReaError {
  return new ReaError("artifact_operation_failed", {
    message: "A file read back from the extraction directory differs from what was written.",
    details: { operation: "extract_artifact", reason: "io" },
  });
}
