import { omission } from "@rea/core";
import { turn } from "../../codecs/turn.js";
import type { ReaderInput } from "../../format.js";
import { Extents } from "../../reading/extents.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { storedBytes } from "./file-content.js";
import type { SquashImage } from "./squash-image.js";
import { superblockBytes } from "./superblock.js";

const fragmentsLookedAt = 1_000_000;
const paddingUnit = 4096;
const pieceBytes = 256 * 1024;
/** Compressor options stand in one metadata block behind the superblock. */
const optionsFlag = 0x0400;

/** Which bytes between the superblock and the tables are data of files and fragments. */
export class DataArea {
  readonly #image: SquashImage;
  readonly #extents = new Extents();
  /** False once the data of some file is not known. */
  #known = true;

  constructor(image: SquashImage) {
    this.#image = image;
  }

  add(start: number, length: number): void {
    if (length > 0) this.#extents.add(start, start + length, 0);
  }

  unknown(): void {
    this.#known = false;
  }

  /** Tells of bytes that belong to no file; to be called when every file was seen. */
  async report(findings: FindingReport): Promise<void> {
    if (!this.#known || !(await this.#addFragments())) return;
    let reached = this.#dataStart();
    const { inodes } = this.#image.superblock.tables;
    for (const { start, end } of [...this.#extents.sorted(), { start: inodes, end: inodes }]) {
      if (start > reached && start <= this.#image.end) {
        const detail = `${String(start - reached)} bytes of the data area belong to no file and no fragment.`;
        findings.add({ anomaly: "gap", offset: reached, detail, effect: "No reader of the image shows these bytes." });
      }
      reached = Math.max(reached, end);
    }
  }

  async #addFragments(): Promise<boolean> {
    const { fragmentCount } = this.#image.superblock;
    if (fragmentCount > fragmentsLookedAt) return false;
    for (let index = 0; index < fragmentCount; index += 1) {
      const { start, word } = await this.#image.fragment(index);
      this.add(start, storedBytes(word));
    }
    return true;
  }

  #dataStart(): number {
    const { source } = this.#image;
    const head = Buffer.from(source.read(0, Math.min(source.size, superblockBytes + 2)));
    const options = (head.readUInt16LE(24) & optionsFlag) !== 0 && head.byteLength === superblockBytes + 2;
    return options ? superblockBytes + 2 + (head.readUInt16LE(superblockBytes) & 0x7fff) : superblockBytes;
  }
}

/** Tells what stands behind the image: padding of writers, or something else. */
export async function reportBehind(image: SquashImage, input: ReaderInput, findings: FindingReport): Promise<void> {
  const { source, superblock } = image;
  const { bytesUsed } = superblock;
  if (bytesUsed > source.size) {
    const scope = `The image declares ${String(bytesUsed)} bytes and the file ends after ${String(source.size)}.`;
    input.report.omission(omission(scope, "malformed", { how_to_continue: "Get an undamaged copy of the artifact." }));
    return;
  }
  const left = source.size - bytesUsed;
  if (left === 0) return;
  const zeros = await isZero(image, bytesUsed);
  if (zeros && left < paddingUnit) {
    input.report.part({ part: "padding behind the image", offset: bytesUsed, length: left });
    return;
  }
  findings.add({
    anomaly: "trailing_data",
    offset: bytesUsed,
    detail: `${String(left)} ${zeros ? "zero " : ""}bytes follow the end of the image.`,
    effect: "Programs that mount or list the image do not see these bytes.",
  });
}

async function isZero({ source, signal }: SquashImage, offset: number): Promise<boolean> {
  for (let at = offset; at < source.size; at += pieceBytes) {
    await turn(signal);
    if (source.read(at, Math.min(pieceBytes, source.size - at)).some((byte) => byte !== 0)) return false;
  }
  return true;
}
