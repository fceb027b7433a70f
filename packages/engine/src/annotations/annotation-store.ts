import { canonicalSha256, formatAddress, parseAddress, type Address, type ReaError } from "@rea/core";
import type { AnnotationEntry, AnnotationKind } from "./annotation-entry.js";
import type { AnnotationLog } from "./annotation-log.js";

export interface AnnotationChange {
  readonly kind: AnnotationKind;
  readonly va: bigint;
  readonly action: "set" | "unset";
  readonly value: string | null;
}

export interface Author {
  readonly name: string;
  readonly version: string;
}

export interface PlacedText {
  readonly va: Address;
  readonly text: string;
}

type Slot = ReadonlyMap<string, string | null>;

/** The annotations in force for one image: what its log adds up to, the last entry winning. Addresses are VAs. */
export class AnnotationStore {
  readonly #log: AnnotationLog;
  readonly #image: string;
  readonly #slots = {
    name: new Map<string, string | null>(),
    comment: new Map<string, string | null>(),
    inline_comment: new Map<string, string | null>(),
    bookmark: new Map<string, string | null>(),
  };
  #version = 0;
  #damagedLines = 0;
  #refusal: ReaError | undefined;
  #digest: { readonly version: number; readonly sha256: string } | undefined;

  constructor(log: AnnotationLog, image: string) {
    this.#log = log;
    this.#image = image;
  }

  /** Takes in what this or another process has appended since. */
  refresh(): void {
    const { entries, damagedLines, refusal } = this.#log.readNew();
    this.#refusal = refusal;
    this.#damagedLines += damagedLines;
    for (const entry of entries) if (entry.image === this.#image) this.#apply(entry);
  }

  /** Appends the changes in one write; they are in force when this returns. Throws when the log cannot be read or written. */
  write(changes: readonly AnnotationChange[], author: Author): void {
    this.refresh();
    if (this.#refusal !== undefined) throw this.#refusal;
    const time = new Date().toISOString();
    const client = { name: author.name, version: author.version };
    this.#log.append(
      changes.map(({ va, kind, action, value }) => {
        return { v: 1 as const, time, client, image: this.#image, kind, address: formatAddress(va), action, value };
      }),
    );
    this.refresh();
  }

  /** Rises with every change. */
  get version(): number {
    return this.#version;
  }

  get isEmpty(): boolean {
    return Object.values(this.#slots).every((slot) => slot.size === 0);
  }

  name(va: bigint): string | undefined {
    return this.#slots.name.get(formatAddress(va)) ?? undefined;
  }

  comment(va: bigint): string | undefined {
    return this.#slots.comment.get(formatAddress(va)) ?? undefined;
  }

  inlineComment(va: bigint): string | undefined {
    return this.#slots.inline_comment.get(formatAddress(va)) ?? undefined;
  }

  hasBookmark(va: bigint): boolean {
    return this.#slots.bookmark.has(formatAddress(va));
  }

  names(): readonly { readonly va: Address; readonly name: string }[] {
    return placed(this.#slots.name).flatMap(({ va, value }) => (value === null ? [] : [{ va, name: value }]));
  }

  /** By address. */
  comments(kind: "comment" | "inline_comment"): readonly PlacedText[] {
    return placed(this.#slots[kind]).flatMap(({ va, value }) => (value === null ? [] : [{ va, text: value }]));
  }

  /** By address; a bookmark may have no name. */
  bookmarks(): readonly { readonly va: Address; readonly name: string | null }[] {
    return placed(this.#slots.bookmark).map(({ va, value }) => ({ va, name: value }));
  }

  /** Digest over the annotations in force, not over when or by whom they were made; undefined when there are none. */
  digest(): string | undefined {
    if (this.isEmpty) return undefined;
    if (this.#digest?.version !== this.#version) {
      this.#digest = { version: this.#version, sha256: canonicalSha256(this.#state()) };
    }
    return this.#digest.sha256;
  }

  /** What a result says when the log could not be read in full. */
  limitations(): readonly string[] {
    const unread = this.#refusal === undefined ? [] : ["The annotation log in the state directory cannot be read, so annotations are missing."];
    const damaged = this.#damagedLines === 0 ? [] : [`${String(this.#damagedLines)} damaged lines of the annotation log were skipped.`];
    return [...unread, ...damaged];
  }

  #state(): unknown {
    const entries = Object.entries(this.#slots).map(([kind, slot]) => [
      kind,
      placed(slot).map(({ va, value }) => [formatAddress(va), value]),
    ]);
    return Object.fromEntries(entries);
  }

  #apply({ kind, address, action, value }: AnnotationEntry): void {
    this.#version += 1;
    const slot = this.#slots[kind];
    const keep = action === "set" && (value !== null || kind === "bookmark");
    if (keep) slot.set(address, value);
    else slot.delete(address);
  }
}

function placed(slot: Slot): { readonly va: Address; readonly value: string | null }[] {
  const items = [...slot].flatMap(([text, value]) => {
    const va = parseAddress(text);
    return va === undefined ? [] : [{ va, value }];
  });
  return items.sort((a, b) => (a.va < b.va ? -1 : a.va > b.va ? 1 : 0));
}
