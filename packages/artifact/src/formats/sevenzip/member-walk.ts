import { crc32 } from "node:zlib";
import { isReaError, omission, throwIfAborted, type ByteSource } from "@rea/core";
import type { DeclaredCheck, Entry, EntryContent, EntryName, ReaderInput, Unavailable } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { SolidCursor } from "../../reading/solid-cursor.js";
import { attributesOf, type Attributes } from "./attributes.js";
import type { FileList } from "./file-list.js";
import { folderNotes } from "./folder-notes.js";
import { FolderOutput } from "./folder-output.js";
import { planFolder, type FolderPlan } from "./folder-plan.js";
import { startBytes, type SignatureHeader } from "./signature-header.js";
import { Streams } from "./streams.js";
import { HeaderBytes } from "./header-bytes.js";

export interface MemberWalkOptions {
  readonly source: ByteSource;
  readonly start: SignatureHeader;
  readonly streams: Streams | undefined;
  readonly files: FileList;
  readonly input: ReaderInput;
  readonly findings: FindingReport;
}

/** Where a member's content lies in the plain bytes of a folder. */
interface Content {
  readonly plan: FolderPlan;
  readonly offset: number;
  readonly bytes: number;
  /** CRC-32; −1 when none is declared. */
  readonly crc: number;
  /** The folder holds this content and nothing else. */
  readonly alone: boolean;
}

const longestTarget = 65_535;

/** The members of an archive, each with its share of a folder. */
export class MemberWalk {
  readonly #options: MemberWalkOptions;
  readonly #streams: Streams;
  readonly #cursor: SolidCursor<FolderPlan, FolderOutput>;
  /** Folders and contents that were given to members so far. */
  #folder = -1;
  #inFolder = 0;
  #offset = 0;
  #plan: FolderPlan | undefined;
  #emptyIndex = 0;

  constructor(options: MemberWalkOptions) {
    const { source, start, input, findings } = options;
    this.#options = options;
    this.#streams = options.streams ?? new Streams(new HeaderBytes(Buffer.alloc(1)));
    const from = { source, start: start.offset + startBytes, streams: this.#streams, signal: input.signal };
    const notes = folderNotes(findings);
    this.#cursor = new SolidCursor({
      open: (plan: FolderPlan) => new FolderOutput(from, plan, notes),
      onOddEnd: (_plan, what) => {
        notes.oddEnd(what);
      },
      limits: input.limits,
    });
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    const { files, input } = this.#options;
    this.#compareCounts();
    try {
      for (let index = 0; index < files.count; index += 1) {
        throwIfAborted(input.signal, "sevenzip_members");
        yield await this.#entry(index);
      }
      this.#tellOfNameless();
    } finally {
      await this.#cursor.close();
    }
  }

  #compareCounts(): void {
    const listed = this.#options.files.withContent;
    const packed = this.#streams.memberSizes.length;
    if (listed === packed) return;
    const detail = `The list names ${String(listed)} members with content, the folders hold ${String(packed)} contents.`;
    this.#options.findings.add({ anomaly: "entry_count_mismatch", offset: null, detail, effect: "Readers stop at the shorter of both, or refuse the archive." });
  }

  /** Folders whose bytes no member has. */
  #tellOfNameless(): void {
    const named = this.#options.files.withContent;
    const left = this.#streams.memberSizes.length - named;
    if (left <= 0) return;
    this.#options.input.report.omission(omission("Packed contents that no member of the list has.", "malformed", { count: left }));
  }

  async #entry(index: number): Promise<Entry> {
    const { files } = this.#options;
    const name = this.#name(index);
    if (!files.hasContent(index)) return this.#emptyEntry(index, name);
    const attributes = attributesOf(files.attributes(index), true);
    const content = this.#nextContent();
    if (content === undefined) return { ...base(name, attributes), content: { reason: "malformed", why: "The folders hold no content for this member." } };
    this.#tellOfMethod(content.plan, name);
    const readable = this.#unavailable(content);
    const isLink = attributes.kind === "symlink" && content.bytes <= longestTarget;
    const target = isLink && readable === undefined ? await this.#linkTarget(content, name) : undefined;
    return this.#contentEntry({ name, attributes, content, target, readable });
  }

  /** The archive's own name where the list has none, as 7-Zip shows it. */
  #name(index: number): EntryName {
    const name = this.#options.files.name(index);
    if (name.bytes.byteLength > 0 || this.#options.files.count !== 1) return name;
    const text = this.#options.input.containerName.replace(/\.[^.]*$/, "") || "content";
    return { bytes: Buffer.from(text), text };
  }

  #emptyEntry(index: number, name: EntryName): Entry {
    const { files } = this.#options;
    const at = this.#emptyIndex;
    this.#emptyIndex += 1;
    if (files.isAnti(at)) {
      const limitations = ["The member stands for a deletion: readers that update a directory remove the file of this name."];
      return { ...base(name, { kind: "special", executable: null, limitation: undefined }), limitations };
    }
    const attributes = attributesOf(files.attributes(index), false);
    if (!files.isEmptyFile(at)) return base(name, { ...attributes, kind: attributes.kind === "special" ? "special" : "directory", executable: null });
    const isLink = attributes.kind === "symlink";
    const kind = attributes.kind === "directory" ? "file" : attributes.kind;
    if (kind === "special") return base(name, attributes);
    return {
      ...base(name, { ...attributes, kind }),
      declaredBytes: 0,
      checks: isLink ? [] : [{ kind: "size", bytes: 0 }],
      linkTarget: isLink ? new Uint8Array(0) : null,
      content: isLink ? null : { stream: nothing, whole: () => new Uint8Array(0) },
    };
  }

  /** The next content of the folders, in order. */
  #nextContent(): Content | undefined {
    while (this.#folder < 0 || this.#inFolder >= this.#streams.members(this.#folder).count) {
      this.#folder += 1;
      this.#inFolder = 0;
      this.#offset = 0;
      this.#plan = undefined;
      if (this.#folder >= this.#streams.folderCount) return undefined;
    }
    const { source, start } = this.#options;
    this.#plan ??= planFolder(this.#streams, this.#folder, { start: start.offset + startBytes, size: source.size });
    const { first, count } = this.#streams.members(this.#folder);
    const at = first + this.#inFolder;
    const bytes = this.#streams.memberSizes[at] ?? 0;
    const content = { plan: this.#plan, offset: this.#offset, bytes, crc: this.#streams.memberDigests[at] ?? -1, alone: count === 1 };
    this.#inFolder += 1;
    this.#offset += bytes;
    return content;
  }

  #tellOfMethod(plan: FolderPlan, name: EntryName): void {
    if (!plan.unknownMethod) return;
    const detail = "The folder is packed by a method that no document gives.";
    this.#options.findings.add({ anomaly: "unknown_method", offset: null, detail, effect: "No reader can decode the data by what the header says." }, name);
  }

  #unavailable({ plan, offset }: Content): Unavailable | undefined {
    if (plan.problem !== undefined) return plan.problem;
    if (this.#cursor.reaches(plan, offset)) return undefined;
    return { reason: "limit", why: "More bytes stand before this content in its folder than are decoded to reach it." };
  }

  async #linkTarget(content: Content, name: EntryName): Promise<Uint8Array | undefined> {
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of this.#cursor.read(content.plan, content.offset, content.bytes)) pieces.push(Uint8Array.from(piece));
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      return undefined;
    }
    const target = Buffer.concat(pieces);
    if (content.crc >= 0 && crc32(target) !== content.crc) {
      const detail = "The CRC-32 of the link's target is not the declared one.";
      this.#options.findings.add({ anomaly: "crc_mismatch", offset: null, detail, effect: "The link was changed after it was packed, or is damaged." }, name);
    }
    return target;
  }

  #contentEntry({ name, attributes, content, target, readable }: ContentParts): Entry {
    const { plan, bytes, crc, alone } = content;
    const checks: DeclaredCheck[] = [{ kind: "size", bytes }];
    if (crc >= 0) checks.push({ kind: "crc32", value: crc });
    const isLink = attributes.kind === "symlink";
    const broken: Unavailable = { reason: "malformed", why: "The link's target cannot be read." };
    return {
      ...base(name, attributes),
      declaredBytes: Number.isSafeInteger(bytes) ? bytes : null,
      compressedBytes: alone && Number.isSafeInteger(plan.packedBytes) ? plan.packedBytes : null,
      location: this.#location(plan),
      encrypted: plan.encrypted,
      linkTarget: target ?? null,
      checks: isLink ? [] : checks,
      content: readable ?? (target === undefined ? (isLink ? broken : this.#open(content)) : null),
    };
  }

  #location({ index, packedBytes }: FolderPlan): Entry["location"] {
    const { start, source } = this.#options;
    const offset = start.offset + startBytes + this.#streams.packStart(this.#streams.firstPacked(index));
    return offset + packedBytes <= source.size ? { offset, length: packedBytes } : null;
  }

  #open({ plan, offset, bytes, alone }: Content): EntryContent {
    return {
      stream: () => this.#cursor.read(plan, offset, bytes),
      ...(alone ? {} : { inputBytes: () => this.#cursor.opened(plan)?.packedRead ?? 0 }),
    };
  }
}

interface ContentParts {
  readonly name: EntryName;
  readonly attributes: Attributes;
  readonly content: Content;
  readonly target: Uint8Array | undefined;
  readonly readable: Unavailable | undefined;
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {
  // A file of no bytes.
}

function base(name: EntryName, { kind, executable, limitation }: Attributes): Entry {
  return {
    name,
    kind,
    declaredBytes: null,
    compressedBytes: null,
    location: null,
    encrypted: false,
    linkTarget: null,
    executable,
    checks: [],
    limitations: limitation === undefined ? [] : [limitation],
    content: null,
  };
}
