import { isReaError, throwIfAborted } from "@rea/core";
import type { Entry, EntryName, ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { malformed } from "../sequential/damage.js";
import { apfsFile } from "./file.js";
import { fileEntries, kindOf, plainEntry, type FileReading } from "./file-entry.js";
import { recordTypes } from "./file-tree.js";
import { directoryEntryOf, type DirectoryEntry } from "./records.js";
import type { ApfsVolume } from "./volume.js";

/** Above the root: what the volume's own directories stand in. */
const topId = 1;
const rootId = 2;
/** Paths with more segments are of no use. */
const deepest = 1024;
/** Nodes that may be visited for each entry. */
const nodesPerEntry = 200;

interface Level {
  /** Path of the directory, with a slash behind; "" for the volume itself. */
  readonly prefix: Buffer;
  readonly entries: Iterator<DirectoryEntry>;
}

/** Goes through the directories of a volume, each once, members in the order of the tree. */
export class VolumeWalk {
  readonly #volume: ApfsVolume;
  readonly #name: EntryName;
  readonly #reading: FileReading;
  readonly #input: ReaderInput;
  readonly #findings: FindingReport;
  readonly #directories = new Set<number>([topId]);
  /** First name of each file that has several. */
  readonly #named = new Map<number, EntryName>();
  #links = 0;

  constructor(volume: ApfsVolume, name: EntryName, { reading, input, findings }: { readonly reading: FileReading; readonly input: ReaderInput; readonly findings: FindingReport }) {
    this.#volume = volume;
    this.#name = name;
    this.#reading = reading;
    this.#input = input;
    this.#findings = findings;
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    const levels: Level[] = [this.#level(Buffer.concat([this.#name.bytes, slash]), topId)];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      throwIfAborted(this.#input.signal, "read_apfs");
      const found = this.#next(level);
      if (found === undefined) {
        levels.pop();
        continue;
      }
      this.#reading.tree.allow(nodesPerEntry);
      // The root's own name is not part of any path; what stands beside it is for the file system itself.
      const isTop = levels.length === 1 && found.type === directoryType;
      const path = isTop && found.id === rootId ? Buffer.concat([this.#name.bytes]) : Buffer.concat([level.prefix, shown(found.name)]);
      const isDirectory = found.type === directoryType;
      if (!isTop) for (const entry of this.#entriesOf(nameOf(path), found, isDirectory)) yield await Promise.resolve(entry);
      if (isDirectory && this.#mayEnter(found.id, nameOf(path), levels.length)) levels.push(this.#level(Buffer.concat([path, slash]), found.id));
    }
    this.#reportCounts();
  }

  #level(prefix: Buffer, id: number): Level {
    return { prefix, entries: this.#directoryEntries(id) };
  }

  *#directoryEntries(id: number): Generator<DirectoryEntry, void, undefined> {
    for (const { type, key, value } of this.#reading.tree.recordsOf(id)) {
      if (type === recordTypes.directoryEntry) yield directoryEntryOf(key, value, this.#volume.hasHashedNames);
    }
  }

  /** The next entry; damage ends the directory and is told. */
  #next({ entries }: Level): DirectoryEntry | undefined {
    return this.#orDamage(() => {
      const next = entries.next();
      return next.done === true ? undefined : next.value;
    });
  }

  #entriesOf(name: EntryName, { id }: DirectoryEntry, isDirectory: boolean): readonly Entry[] {
    if (isDirectory) return [plainEntry(name, "directory", null)];
    const first = this.#named.get(id);
    if (first !== undefined) return [plainEntry(name, "hardlink", first.bytes)];
    this.#named.set(id, name);
    const entries = this.#orDamage(() => {
      const file = apfsFile(this.#reading.tree, id);
      if (file !== undefined && kindOf(file) === "symlink") this.#links += 1;
      return file === undefined ? undefined : fileEntries(name, file, this.#reading);
    });
    return entries ?? [{ ...plainEntry(name, "file", null), content: { reason: "malformed", why: "The file's records are missing or damaged." } }];
  }

  #mayEnter(id: number, name: EntryName, depth: number): boolean {
    if (depth < deepest && !this.#directories.has(id)) {
      this.#directories.add(id);
      return true;
    }
    this.#findings.add(
      {
        anomaly: "link_cycle",
        offset: null,
        detail: "The directory is one that was entered before, or is nested deeper than any path can be.",
        effect: "Programs that follow directories down list the same files again, or never end.",
      },
      name,
    );
    return false;
  }

  #orDamage<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      malformed(this.#input, 0, `A directory or file of an APFS volume cannot be read: ${error.message}`);
      return undefined;
    }
  }

  /** Files that no directory names are not found by going through directories. */
  #reportCounts(): void {
    const files = this.#named.size;
    const declared = this.#volume.files + this.#volume.links;
    if (declared <= files) return;
    this.#findings.add({
      anomaly: "entry_count_mismatch",
      offset: null,
      detail: `The volume declares ${String(this.#volume.files)} files and ${String(this.#volume.links)} symbolic links; ${String(files - this.#links)} and ${String(this.#links)} were found.`,
      effect: "Some may be hidden from every directory.",
    });
  }
}

const directoryType = 4;
const slash = Buffer.from("/");

/** A slash inside a name is shown as a colon, as systems do. */
function shown(name: Buffer): Buffer {
  return name.includes(0x2f) ? Buffer.from(name.map((byte) => (byte === 0x2f ? 0x3a : byte))) : name;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function nameOf(bytes: Buffer): EntryName {
  try {
    return { bytes, text: strict.decode(bytes) };
  } catch {
    return { bytes, text: undefined };
  }
}
