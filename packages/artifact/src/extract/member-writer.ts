import type { FileHandle } from "node:fs/promises";
import { ReaError } from "@rea/core";
import type { ContentSink, MemberSink } from "../walk/content-sink.js";
import type { Place } from "../walk/place.js";
import { diskPath } from "./disk-path.js";
import { sealFile, type OutputTree, type RefusedWrite } from "./output-tree.js";
import type { Selection } from "./selection.js";

export interface WrittenMember {
  readonly place: Place;
  readonly relativePath: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Why a selected member is not in the output. */
export type SkipReason = RefusedWrite | "not_found" | "unsafe_name" | "not_verified";

const sealedAtOnce = 16;

/** Writes the selected members of a walk while they are read, and proves each by reading it back. */
export class MemberWriter implements ContentSink {
  readonly written: WrittenMember[] = [];
  readonly skipped: { readonly place: Place; readonly reason: SkipReason }[] = [];
  readonly #tree: OutputTree;
  readonly #selection: Selection;
  readonly #sealing = new Set<Promise<void>>();
  /** Files that are being written. */
  readonly #open = new Set<FileHandle>();
  #failed: Error | undefined;

  constructor(tree: OutputTree, selection: Selection) {
    this.#tree = tree;
    this.#selection = selection;
  }

  begin(place: Place): MemberSink | undefined {
    if (place.entryKind !== "file" && place.entryKind !== "slice" && place.entryKind !== "volume") return undefined;
    if (!this.#selection.has(place.logicalPath)) return undefined;
    if (!place.safe) {
      this.skipped.push({ place, reason: "unsafe_name" });
      return undefined;
    }
    return new MemberFile(this, place);
  }

  /** Waits until everything written has been proven, and closes what a failed walk left open. */
  async settled(): Promise<void> {
    for (const handle of this.#open) await handle.close();
    await Promise.all(this.#sealing);
    if (this.#failed !== undefined) throw this.#failed;
    this.#discardDisproved();
  }

  /** Lists that come behind the members they speak of may disprove what is written already. */
  #discardDisproved(): void {
    for (const member of [...this.written]) {
      if (member.place.hashStatus === "verified") continue;
      this.written.splice(this.written.indexOf(member), 1);
      this.#tree.discard(member.relativePath);
      this.skipped.push({ place: member.place, reason: "not_verified" });
    }
  }

  async create(relativePath: string): Promise<FileHandle | RefusedWrite> {
    const created = await this.#tree.create(relativePath);
    if (typeof created !== "string") this.#open.add(created);
    return created;
  }

  async discard(handle: FileHandle, relativePath: string): Promise<void> {
    this.#open.delete(handle);
    await handle.close();
    this.#tree.discard(relativePath);
  }

  /** Proves a file in the background; some at a time, so that slow disks do not pile up open files. */
  async seal(handle: FileHandle, member: WrittenMember): Promise<void> {
    this.#open.delete(handle);
    while (this.#sealing.size >= sealedAtOnce) await Promise.race(this.#sealing);
    const sealing = sealFile(handle)
      .then((sha256) => {
        if (sha256 === member.sha256) this.written.push(member);
        else this.#failed ??= readBackDiffers();
      })
      .catch((error: unknown) => {
        this.#failed ??= error instanceof Error ? error : readBackDiffers();
      })
      .finally(() => this.#sealing.delete(sealing));
    this.#sealing.add(sealing);
    if (this.#failed !== undefined) throw this.#failed;
  }
}

/** One member on its way to the disk; the file is made with the first piece or at the end. */
class MemberFile implements MemberSink {
  readonly #writer: MemberWriter;
  readonly #place: Place;
  readonly #path: string;
  #handle: FileHandle | undefined;
  #refused: RefusedWrite | undefined;
  #bytes = 0;

  constructor(writer: MemberWriter, place: Place) {
    this.#writer = writer;
    this.#place = place;
    this.#path = diskPath(place.logicalPath, place.duplicateIndex);
  }

  async write(piece: Uint8Array): Promise<void> {
    await this.#open();
    for (let done = 0; this.#handle !== undefined && done < piece.byteLength; ) {
      const { bytesWritten } = await this.#handle.write(piece, done, piece.byteLength - done, this.#bytes);
      done += bytesWritten;
      this.#bytes += bytesWritten;
    }
  }

  async end(sha256: string | undefined): Promise<void> {
    if (sha256 !== undefined) await this.#open();
    const handle = this.#handle;
    if (handle === undefined) {
      this.#writer.skipped.push({ place: this.#place, reason: this.#refused ?? "not_verified" });
      return;
    }
    if (sha256 !== undefined) {
      await this.#writer.seal(handle, { place: this.#place, relativePath: this.#path, sha256, bytes: this.#bytes });
      return;
    }
    await this.#writer.discard(handle, this.#path);
    this.#writer.skipped.push({ place: this.#place, reason: "not_verified" });
  }

  async #open(): Promise<void> {
    if (this.#handle !== undefined || this.#refused !== undefined) return;
    const opened = await this.#writer.create(this.#path);
    if (typeof opened === "string") this.#refused = opened;
    else this.#handle = opened;
  }
}

function readBackDiffers(): ReaError {
  return new ReaError("artifact_operation_failed", {
    message: "A file read back from the extraction directory differs from what was written.",
    details: { operation: "extract_artifact", reason: "io" },
  });
}
