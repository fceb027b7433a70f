import type { Directory, DirectoryEntry } from "./directory.js";
import { nowhere } from "./directory.js";

/** An entry at its place in the tree. */
export interface TreeEntry {
  readonly entry: DirectoryEntry;
  /** Storages above it, outermost first; none for entries that no storage leads to. */
  readonly parents: readonly DirectoryEntry[];
  /** False for an entry that nothing leads to. */
  readonly reached: boolean;
}

export interface TreeNotes {
  /** An entry that was met before. */
  again(entry: DirectoryEntry): void;
  /** A number of an entry that does not exist. */
  outside(from: DirectoryEntry): void;
  /** Siblings that are not in the order by which readers search for names. */
  unsorted(storage: DirectoryEntry): void;
}

/** Storages deeper than this are not entered. */
const deepestStorage = 256;

/**
 * Walks the storages from the root on, each before what is in it, siblings in the order of their tree; then the entries
 * that nothing leads to. Without recursion: trees of siblings may be degenerate.
 */
export class DirectoryTree {
  readonly #directory: Directory;
  readonly #notes: TreeNotes;
  readonly #seen: Uint8Array;
  /** Storages whose members lie too deep. */
  tooDeep = 0;

  constructor(directory: Directory, notes: TreeNotes) {
    this.#directory = directory;
    this.#notes = notes;
    this.#seen = new Uint8Array(directory.count);
  }

  *entries(): Generator<TreeEntry, void, undefined> {
    if (this.#directory.count === 0) return;
    const root = this.#directory.entry(0);
    this.#seen[0] = 1;
    yield* this.#below([root]);
    yield* this.#unreached();
  }

  *#below(path: readonly DirectoryEntry[]): Generator<TreeEntry, void, undefined> {
    const open: { readonly siblings: Iterator<DirectoryEntry>; readonly path: readonly DirectoryEntry[] }[] = [{ siblings: this.#siblings(path), path }];
    for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
      const next = level.siblings.next();
      if (next.done === true) {
        open.pop();
        continue;
      }
      const entry = next.value;
      yield { entry, parents: level.path.slice(1), reached: true };
      if (entry.type !== "storage" || entry.child === nowhere) continue;
      const below = [...level.path, entry];
      if (below.length > deepestStorage) this.tooDeep += 1;
      else open.push({ siblings: this.#siblings(below), path: below });
    }
  }

  /** The members of the last storage of a path, smallest first. */
  *#siblings(path: readonly DirectoryEntry[]): Generator<DirectoryEntry, void, undefined> {
    const storage = path.at(-1);
    if (storage === undefined) return;
    const waiting: DirectoryEntry[] = [];
    let at = storage.child;
    let from = storage;
    let before: string | undefined;
    let isSorted = true;
    for (;;) {
      for (let entry = this.#take(at, from); entry !== undefined; entry = this.#take(entry.left, entry)) waiting.push(entry);
      const entry = waiting.pop();
      if (entry === undefined) break;
      const name = entry.name.toString("utf16le");
      isSorted &&= before === undefined || comesBefore(before, name);
      before = name;
      yield entry;
      at = entry.right;
      from = entry;
    }
    if (!isSorted) this.#notes.unsorted(storage);
  }

  #take(id: number, from: DirectoryEntry): DirectoryEntry | undefined {
    if (id === nowhere) return undefined;
    if (id >= this.#directory.count) {
      this.#notes.outside(from);
      return undefined;
    }
    const entry = this.#directory.entry(id);
    if (this.#seen[id] === 1) {
      this.#notes.again(entry);
      return undefined;
    }
    this.#seen[id] = 1;
    return entry;
  }

  *#unreached(): Generator<TreeEntry, void, undefined> {
    for (let id = 0; id < this.#directory.count; id += 1) {
      if (this.#seen[id] === 1) continue;
      const entry = this.#directory.entry(id);
      if (entry.type !== "unused") yield { entry, parents: [], reached: false };
    }
  }
}

/** The order of names: shorter ones first, then by upper-case letters. Only told where it is the same in every language. */
function comesBefore(one: string, other: string): boolean {
  if (one.length !== other.length) return one.length < other.length;
  const isPlain = /^[ -~]*$/.test(one + other);
  return !isPlain || one.toUpperCase() < other.toUpperCase();
}
