import { omission, type Omission } from "@rea/core";
import { walkArtifact, type FinishedWalk, type InventoryOptions } from "../inventory.js";
import type { Artifact } from "../open-artifact.js";
import type { ContentSink, MemberSink } from "../walk/content-sink.js";
import { NobodyWants } from "../walk/handover.js";
import type { Place } from "../walk/place.js";
import { documentOfBytes, lastName, mostDocumentBytes, ownDocument, type ArtifactDocument } from "./document.js";

/** Bytes at the start of a content that show what it is. */
const headBytes = 64;

/** A search has no bounds of its own to raise, so it looks further than an inventory does. */
const searchLimits = { maxEntries: 200_000, maxTotalBytes: 8 * 1024 ** 3, maxEntryBytes: 2 * 1024 ** 3 };

export interface DocumentSearch extends InventoryOptions {
  readonly operation: string;
  /** By logical path and first bytes. */
  readonly wants: (logicalPath: string, head: Uint8Array) => boolean;
  readonly maximum: number;
  /** The walk ends with the first one. */
  readonly firstOnly?: boolean;
}

export interface FoundDocuments {
  /** Sorted by logical path. */
  readonly documents: readonly ArtifactDocument[];
  readonly omissions: readonly Omission[];
  /** Digest of the artifact; null when the walk ended early or a directory has none. */
  readonly rootSha256: string | null;
}

/**
 * Documents anywhere inside an artifact, found while it is walked and hashed; contents that disprove what is declared of
 * them are left out. A plain file is its own only document. Throws what `inventory` throws under `record-and-continue`.
 */
export async function findDocuments(artifact: Artifact, search: DocumentSearch): Promise<FoundDocuments> {
  const own = ownDocument(artifact, search.operation);
  if (own !== undefined) {
    const wanted = search.wants(own.name, own.bytes.subarray(0, headBytes));
    return { documents: wanted ? [own] : [], omissions: [], rootSha256: own.sha256 };
  }
  const sink = new DocumentSink(artifact, search);
  try {
    const walk = await walkArtifact(artifact, {
      ...search,
      limits: { ...searchLimits, ...search.limits },
      integrityPolicy: "record-and-continue",
      sink,
      ...(search.firstOnly === true ? { onPlace: () => sink.requireMore() } : {}),
    });
    return finished(sink, walk, search.maximum);
  } catch (error) {
    if (error instanceof NobodyWants) return finished(sink, undefined, search.maximum);
    throw error;
  }
}

function finished(sink: DocumentSink, walk: FinishedWalk | undefined, maximum: number): FoundDocuments {
  const documents = [...sink.documents].sort((a, b) => (a.logicalPath < b.logicalPath ? -1 : 1));
  if (walk === undefined) return { documents, omissions: [], rootSha256: null };
  const { omissions, manifest } = walk.inventory;
  return { documents, omissions: [...omissions.map(narrowed), ...sink.omissions(maximum)], rootSha256: manifest.root_sha256 };
}

/** What to do about a bound of the walk when the caller cannot raise it. */
function narrowed(left: Omission): Omission {
  return left.limit === null ? left : { ...left, how_to_continue: "Call again for the part of the artifact that holds the documents." };
}

class DocumentSink implements ContentSink {
  readonly documents: ArtifactDocument[] = [];
  readonly search: DocumentSearch;
  readonly #directory: string | undefined;
  #bytes = 0;
  #beyond = 0;
  #disproved = 0;

  constructor({ root }: Artifact, search: DocumentSearch) {
    this.#directory = root.kind === "directory" ? root.path : undefined;
    this.search = search;
  }

  begin(place: Place): MemberSink | undefined {
    return place.entryKind === "file" ? new Collector(this, place) : undefined;
  }

  /** Ends the walk when there is a document already. */
  requireMore(): undefined {
    if (this.documents.length > 0) throw new NobodyWants();
  }

  /** Whether so many bytes more may be kept. */
  admit(bytes: number): boolean {
    if (this.documents.length >= this.search.maximum || this.#bytes + bytes > mostDocumentBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  leave(): void {
    this.#beyond += 1;
  }

  disprove(): void {
    this.#disproved += 1;
  }

  keep({ logicalPath, rawName }: Place, pieces: readonly Uint8Array[]): void {
    const onDisk = this.#directory !== undefined && !logicalPath.includes("!/") && rawName === null;
    const localPath = onDisk ? `${this.#directory}/${logicalPath}` : null;
    this.documents.push(documentOfBytes(Buffer.concat(pieces), { logicalPath, name: lastName(logicalPath), localPath }));
  }

  omissions(maximum: number): Omission[] {
    const found: Omission[] = [];
    if (this.#beyond > 0) {
      const how_to_continue = "Call again for the part of the artifact that holds them.";
      found.push(omission("Documents beyond the number or size of one call.", "limit_items", { count: this.#beyond, limit: maximum, how_to_continue }));
    }
    if (this.#disproved > 0) {
      found.push(omission("Documents that were not read in full or disprove what is declared of them.", "integrity_mismatch", { count: this.#disproved }));
    }
    return found;
  }
}

/** Keeps a content once its first bytes show that it is wanted. */
class Collector implements MemberSink {
  readonly #sink: DocumentSink;
  readonly #place: Place;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #state: "undecided" | "wanted" | "passed" = "undecided";

  constructor(sink: DocumentSink, place: Place) {
    this.#sink = sink;
    this.#place = place;
  }

  write(piece: Uint8Array): void {
    if (this.#state === "passed") return;
    this.#pieces.push(Buffer.from(piece));
    this.#bytes += piece.byteLength;
    if (this.#state === "undecided" && this.#bytes >= headBytes) this.#decide();
    else if (this.#state === "wanted" && !this.#sink.admit(piece.byteLength)) this.#pass(true);
  }

  end(sha256: string | undefined): void {
    if (this.#state === "undecided") this.#decide();
    if (this.#state !== "wanted") return;
    if (sha256 === undefined) this.#sink.disprove();
    else this.#sink.keep(this.#place, this.#pieces);
  }

  #decide(): void {
    const head = Buffer.concat(this.#pieces).subarray(0, headBytes);
    if (!this.#sink.search.wants(this.#place.logicalPath, head)) this.#pass(false);
    else if (this.#sink.admit(this.#bytes)) this.#state = "wanted";
    else this.#pass(true);
  }

  #pass(left: boolean): void {
    this.#state = "passed";
    this.#pieces.length = 0;
    if (left) this.#sink.leave();
  }
}
