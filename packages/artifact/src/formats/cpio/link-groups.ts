import type { Entry } from "../../format.js";
import type { CpioHeader } from "./cpio-header.js";

/** More waiting names than this are not kept back. */
const mostWaiting = 100_000;

/**
 * Names of one file in the "newc" layouts: all but one of them, usually the last, have no data. They wait until the
 * one with data comes, so that they can say what they link to.
 */
export class LinkGroups {
  readonly #waiting = new Map<string, Entry[]>();
  readonly #stored = new Map<string, Uint8Array>();
  #count = 0;

  /** Entries to yield for a member, in order; none while it waits. */
  place(header: CpioHeader, entry: Entry): readonly Entry[] {
    const shares = (header.kind === "newc" || header.kind === "crc") && header.links > 1 && entry.kind === "file";
    if (!shares) return [entry];
    if (header.size > 0) return this.#withData(header.identity, entry);
    const target = this.#stored.get(header.identity);
    if (target !== undefined) return [linked(entry, target)];
    if (this.#count >= mostWaiting) return [entry];
    const names = this.#waiting.get(header.identity);
    if (names === undefined) this.#waiting.set(header.identity, [entry]);
    else names.push(entry);
    this.#count += 1;
    return [];
  }

  /** Names whose data never came: one empty file each group, as writers store it, and links to it. */
  rest(): readonly Entry[] {
    const left = [...this.#waiting.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [first, ...others.map((entry) => linked(entry, first.name.bytes))]));
    this.#waiting.clear();
    return left;
  }

  #withData(identity: string, entry: Entry): readonly Entry[] {
    const names = this.#waiting.get(identity) ?? [];
    this.#waiting.delete(identity);
    this.#count -= names.length;
    this.#stored.set(identity, entry.name.bytes);
    return [...names.map((name) => linked(name, entry.name.bytes)), entry];
  }
}

function linked(entry: Entry, target: Uint8Array): Entry {
  return { ...entry, kind: "hardlink", declaredBytes: null, compressedBytes: null, linkTarget: target, executable: null, checks: [], content: null };
}
