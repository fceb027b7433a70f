import { walkArtifact, type InventoryOptions } from "../inventory.js";
import type { Inventory } from "../graph/graph.js";
import type { Artifact } from "../open-artifact.js";
import type { ContentSink, MemberSink } from "../walk/content-sink.js";
import type { Place } from "../walk/place.js";
import { ownDocument } from "./document.js";

/** A member's content, read in full; the bytes are the receiver's own. */
export interface ReadContent {
  /** `.` for the artifact itself. */
  readonly logicalPath: string;
  readonly duplicateIndex: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

export interface ContentReading extends InventoryOptions {
  readonly operation: string;
  /** Bytes of a member that are wanted at most, by its path and first bytes; undefined for a member that is not. */
  readonly wants: (logicalPath: string, head: Uint8Array) => number | undefined;
  /** Shown each wanted content as soon as it is known. */
  readonly take: (content: ReadContent) => void;
  /** A wanted content that cannot be taken. `disproved`: it is not what is declared of it, or was not read in full. */
  readonly leave: (logicalPath: string, why: "too_large" | "disproved") => void;
}

/**
 * Walks an artifact as `inventory` does and hands over contents on the way, each once. A plain file is its own only
 * content. Throws what `inventory` throws.
 */
export async function readContents(artifact: Artifact, reading: ContentReading): Promise<Inventory> {
  const own = ownDocument(artifact, reading.operation);
  const { inventory } = await walkArtifact(artifact, { ...reading, sink: new ContentsSink(reading) });
  if (own !== undefined) handOver(own.name, { logicalPath: ".", duplicateIndex: 0, bytes: copyOf([own.bytes], own.bytes.byteLength), sha256: own.sha256 }, reading);
  return inventory;
}

function handOver(name: string, content: ReadContent, reading: ContentReading): void {
  const most = reading.wants(name, content.bytes.subarray(0, headBytes));
  if (most === undefined) return;
  if (content.bytes.byteLength > most) reading.leave(content.logicalPath, "too_large");
  else reading.take(content);
}

const headBytes = 64;

class ContentsSink implements ContentSink {
  readonly #reading: ContentReading;

  constructor(reading: ContentReading) {
    this.#reading = reading;
  }

  begin(place: Place): MemberSink | undefined {
    return place.entryKind === "file" ? new Gathering(place, this.#reading) : undefined;
  }
}

/** Gathers a content once its first bytes show that it is wanted. */
class Gathering implements MemberSink {
  readonly #place: Place;
  readonly #reading: ContentReading;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #most: number | undefined;
  #isDecided = false;
  #isPassed = false;

  constructor(place: Place, reading: ContentReading) {
    this.#place = place;
    this.#reading = reading;
  }

  write(piece: Uint8Array): void {
    if (this.#isPassed) return;
    this.#pieces.push(Uint8Array.from(piece));
    this.#bytes += piece.byteLength;
    if (!this.#isDecided && this.#bytes >= headBytes) this.#decide();
    if (this.#most !== undefined && this.#bytes > this.#most) this.#pass("too_large");
  }

  end(sha256: string | undefined): void {
    if (this.#isPassed) return;
    if (!this.#isDecided) this.#decide();
    if (this.#most === undefined) return;
    if (sha256 === undefined) this.#pass("disproved");
    else if (this.#bytes > this.#most) this.#pass("too_large");
    else {
      const { logicalPath, duplicateIndex } = this.#place;
      this.#reading.take({ logicalPath, duplicateIndex, bytes: copyOf(this.#pieces, this.#bytes), sha256 });
    }
  }

  #decide(): void {
    this.#isDecided = true;
    this.#most = this.#reading.wants(this.#place.logicalPath, copyOf(this.#pieces, this.#bytes).subarray(0, headBytes));
    if (this.#most === undefined) this.#pass(undefined);
  }

  #pass(why: "too_large" | "disproved" | undefined): void {
    this.#isPassed = true;
    this.#pieces.length = 0;
    if (why !== undefined) this.#reading.leave(this.#place.logicalPath, why);
  }
}

/** In a buffer of its own, so that it can be handed to another thread. */
function copyOf(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
