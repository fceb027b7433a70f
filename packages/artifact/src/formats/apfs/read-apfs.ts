import { isReaError, omission, throwIfAborted, type ByteSource } from "@rea/core";
import type { Entry, EntryName, ReaderInput } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import { FindingReport } from "../../reading/finding-report.js";
import { malformed } from "../sequential/damage.js";
import { Blocks } from "./blocks.js";
import { containerState, type ContainerState } from "./container.js";
import { plainEntry } from "./file-entry.js";
import { FileTree } from "./file-tree.js";
import { ObjectMap } from "./object-map.js";
import { apfsVolume, type ApfsVolume } from "./volume.js";
import { VolumeWalk } from "./volume-walk.js";

/** Reads an APFS container in its latest state: a directory for each volume, and what is in it. */
export async function* readApfs(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const state = containerState(source);
  if (state === undefined) {
    malformed(input, 0, "The container's superblock makes no sense.");
    return;
  }
  yield* new ContainerWalk(source, state, input).entries();
}

class ContainerWalk {
  readonly #source: ByteSource;
  readonly #state: ContainerState;
  readonly #input: ReaderInput;
  readonly #findings: FindingReport;
  readonly #blocks: Blocks;
  readonly #names = new Set<string>();

  constructor(source: ByteSource, state: ContainerState, input: ReaderInput) {
    this.#source = source;
    this.#state = state;
    this.#input = input;
    this.#findings = new FindingReport(input.report);
    this.#blocks = new Blocks(source, state.blockBytes, this.#findings);
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    const { isValid, block, blockBytes, volumes, objectMap, transaction } = this.#state;
    if (!isValid) {
      this.#findings.add({
        anomaly: "bad_checksum_header",
        offset: block * blockBytes,
        detail: "No superblock of the container has a checksum that holds; that in the first block was used.",
        effect: "Systems refuse the container.",
      });
    }
    const map = this.#orDamage("The container's object map", () => new ObjectMap(this.#blocks, objectMap, transaction));
    for (const [index, id] of map === undefined ? [] : volumes.entries()) {
      throwIfAborted(this.#input.signal, "read_apfs");
      const volume = this.#orDamage("A volume", () => (map === undefined ? undefined : apfsVolume(this.#blocks.object(map.blockOf(id)))));
      if (volume !== undefined) yield* this.#volume(volume, this.#nameOf(volume, index));
    }
    this.#findings.finish();
  }

  async *#volume(volume: ApfsVolume, name: EntryName): AsyncGenerator<Entry, void, undefined> {
    const closed = closedVolume(volume, name);
    if (closed !== undefined) {
      yield await Promise.resolve(closed);
      return;
    }
    yield { ...plainEntry(name, "directory", null), limitations: [`This is a volume of the container${volume.role === 0 ? "" : `, of role ${String(volume.role)}`}.`] };
    if (volume.snapshots > 0) {
      this.#input.report.omission(omission("Snapshots of an APFS volume: only its latest state was read.", "not_examined", { count: volume.snapshots }));
    }
    const reading = this.#orDamage("A volume's object map", () => {
      const map = new ObjectMap(this.#blocks, volume.objectMap, volume.transaction);
      const allowance = 10_000 + 4 * Math.floor(this.#source.size / this.#blocks.blockBytes);
      const tree = new FileTree(this.#blocks, map, { root: volume.root, allowance, signal: this.#input.signal });
      return { tree, blocks: this.#blocks, signal: this.#input.signal, report: this.#input.report };
    });
    if (reading !== undefined) yield* new VolumeWalk(volume, name, { reading, input: this.#input, findings: this.#findings }).entries();
  }

  /** Two volumes may have one name; the later one is told apart by its number. */
  #nameOf({ name }: ApfsVolume, index: number): EntryName {
    const text = name.byteLength === 0 ? `volume ${String(index)}` : name.toString("utf8").replaceAll("/", ":");
    const unique = this.#names.has(text) ? `${text} (volume ${String(index)})` : text;
    this.#names.add(unique);
    return utf8Name(Buffer.from(unique));
  }

  #orDamage<T>(what: string, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      malformed(this.#input, this.#state.block * this.#state.blockBytes, `${what} cannot be read: ${error.message}`);
      return undefined;
    }
  }
}

/** A volume whose files cannot be had. */
function closedVolume({ isEncrypted, isSealed }: ApfsVolume, name: EntryName): Entry | undefined {
  if (isEncrypted) return { ...plainEntry(name, "volume", null), encrypted: true, content: { reason: "encrypted", why: "The volume is encrypted." } };
  if (isSealed) return { ...plainEntry(name, "volume", null), content: { reason: "unsupported_method", why: "The volume is sealed: its trees have another shape, which is not read." } };
  return undefined;
}
