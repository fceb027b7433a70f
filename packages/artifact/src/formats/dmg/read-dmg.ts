import { crc32 } from "node:zlib";
import { omission, sourceSlice, throwIfAborted, type ByteSource } from "@rea/core";
import { turn } from "../../codecs/turn.js";
import type { Entry, ReaderInput } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import { Extents } from "../../reading/extents.js";
import { FindingReport } from "../../reading/finding-report.js";
import { bufferOf } from "../../reading/piece-window.js";
import { sourceStream } from "../../reading/source-stream.js";
import { malformed } from "../sequential/damage.js";
import { blockTable, roomForChunks, type BlockTable } from "./block-table.js";
import { encryptedImage, isEncrypted } from "./encrypted-image.js";
import { forkResources, listedResources, type Resource, type Resources } from "./resource-list.js";
import { crcOf, trailerBytes, udifTrailers, type Range, type UdifTrailer } from "./trailer.js";
import { isStored, tableFindings, volumeEntry, type DataFork } from "./volume-entry.js";

/** Lists that are larger are not read; the image would have more chunks than any. */
const longestList = 32 * 1024 * 1024;

/** Reads a UDIF image: its trailer, its list of resources, and a volume for each block table in it. */
export async function* readDmg(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  if (isEncrypted(source)) {
    yield encryptedImage(source);
    return;
  }
  const [trailer, second] = udifTrailers(source);
  if (trailer === undefined) {
    malformed(input, 0, "The image has no trailer.");
    return;
  }
  const image = new Image(source, trailer, input);
  if (second !== undefined) image.conflict(second);
  yield* image.volumes();
  await image.checks();
}

interface Volume {
  readonly name: string;
  readonly table: BlockTable;
  readonly room: number;
}

class Image {
  readonly #source: ByteSource;
  readonly #trailer: UdifTrailer;
  readonly #input: ReaderInput;
  readonly #findings: FindingReport;
  readonly #claims = new Extents();
  readonly #volumes: readonly Volume[];

  constructor(source: ByteSource, trailer: UdifTrailer, input: ReaderInput) {
    this.#source = source;
    this.#trailer = trailer;
    this.#input = input;
    this.#findings = new FindingReport(input.report);
    this.#volumes = this.#tables();
  }

  /** Another trailer stands at the start of an image that has one at its end. */
  conflict(second: UdifTrailer): void {
    this.#findings.add({
      anomaly: "multiple_end_records",
      offset: second.offset,
      detail: "The image has a trailer at its start and another at its end; that at the end was used.",
      effect: "Programs that look at the start first may see another image.",
    });
    this.#claims.add(second.offset, second.offset + trailerBytes, -1);
  }

  async *volumes(): AsyncGenerator<Entry, void, undefined> {
    const fork = this.#dataFork();
    for (const [index, { name, table, room }] of this.#volumes.entries()) {
      throwIfAborted(this.#input.signal, "read_dmg");
      const named = utf8Name(Buffer.from(name === "" ? `volume ${String(index)}` : name.replaceAll("/", ":")));
      for (const finding of tableFindings(table, room)) this.#findings.add(finding, named);
      yield await Promise.resolve(volumeEntry(named, table, fork, this.#input));
    }
  }

  /** What concerns the image as a whole: its checksums, and bytes that nothing lays claim to. */
  async checks(): Promise<void> {
    this.#sectors();
    this.#masterChecksum();
    await this.#dataChecksum();
    this.#unclaimed();
    this.#findings.finish();
  }

  #dataFork(): DataFork {
    const { offset, length } = this.#trailer.dataFork;
    const range = this.#held(this.#trailer.dataFork) ?? this.#cutFork(offset, length);
    return { source: sourceSlice(this.#source, range.offset, range.length), offset: range.offset };
  }

  #cutFork(offset: number, length: number): Range {
    malformed(this.#input, this.#trailer.offset, `The data fork reaches to byte ${String(offset + length)}, past the end of the image.`);
    return offset < this.#source.size ? { offset, length: this.#source.size - offset } : { offset: 0, length: 0 };
  }

  #held({ offset, length }: Range): Range | undefined {
    return offset + length <= this.#source.size ? { offset, length } : undefined;
  }

  #tables(): readonly Volume[] {
    const { segments, segment, offset } = this.#trailer;
    if (segments > 1) this.#input.report.omission(omission(`The image is segment ${String(segment)} of ${String(segments)}; the others are files of their own.`, "missing_companion", { count: segments - 1 }));
    this.#claims.add(offset, offset + trailerBytes, -1);
    this.#signature();
    const { resources, problem } = this.#resources();
    if (problem !== undefined) malformed(this.#input, this.#trailer.list.offset, `The list of resources breaks off: ${problem}`);
    return resources.flatMap((resource) => this.#volume(resource));
  }

  #resources(): Resources {
    const { list, resourceFork } = this.#trailer;
    const isListed = list.length > 0;
    const range = this.#held(isListed ? list : resourceFork);
    if (range === undefined || range.length === 0 || range.length > longestList) return { resources: [], problem: "It is missing, lies outside the image or is larger than what is read of one." };
    this.#claims.add(range.offset, range.offset + range.length, -1);
    const bytes = bufferOf(this.#source.read(range.offset, range.length));
    const found = isListed ? listedResources(bytes.toString("utf8")) : forkResources(bytes);
    const licences = found.resources.filter(({ type }) => type === "LPic");
    if (licences.length > 0) this.#input.report.part({ part: "list of resources with a licence agreement", ...range });
    return found;
  }

  #volume({ type, name, data }: Resource): readonly Volume[] {
    if (type !== "blkx") return [];
    const table = blockTable(data);
    if (table === undefined) malformed(this.#input, this.#trailer.list.offset, "A block table is cut short or lacks its magic.");
    return table === undefined ? [] : [{ name, table, room: roomForChunks(data) }];
  }

  #signature(): void {
    const { signature } = this.#trailer;
    if (signature.length === 0 || this.#held(signature) === undefined) return;
    this.#claims.add(signature.offset, signature.offset + signature.length, -1);
    this.#input.report.part({ part: "code signature", ...signature });
  }

  #sectors(): void {
    const end = this.#volumes.reduce((most, { table }) => Math.max(most, table.sector + table.sectors), 0);
    if (end === this.#trailer.sectors || this.#volumes.length === 0) return;
    this.#findings.add({
      anomaly: "header_size_mismatch",
      offset: this.#trailer.offset + 492,
      detail: `The image has ${String(this.#trailer.sectors)} sectors by its trailer, ${String(end)} by its block tables.`,
      effect: "Programs that trust the trailer make a disk of another size.",
    });
  }

  /** Over the checksums of the tables, one after another. */
  #masterChecksum(): void {
    const declared = crcOf(this.#trailer.masterChecksum);
    if (declared === undefined || this.#volumes.some(({ table }) => crcOf(table.checksum) === undefined)) return;
    const observed = crc32(Buffer.concat(this.#volumes.map(({ table }) => table.checksum.value)));
    if (observed !== declared) this.#crcMismatch(352, "the block tables' checksums", declared, observed);
  }

  async #dataChecksum(): Promise<void> {
    const declared = crcOf(this.#trailer.dataChecksum);
    const range = this.#held(this.#trailer.dataFork);
    if (declared === undefined || range === undefined) return;
    let observed = 0;
    for await (const piece of sourceStream(this.#source, range.offset, range.length)) {
      observed = crc32(piece, observed);
      await turn(this.#input.signal);
    }
    if (observed !== declared) this.#crcMismatch(80, "the data fork", declared, observed);
  }

  #crcMismatch(field: number, what: string, declared: number, observed: number): void {
    const hex = (value: number): string => value.toString(16).padStart(8, "0");
    this.#findings.add({
      anomaly: "crc_mismatch",
      offset: this.#trailer.offset + field,
      detail: `The trailer declares the CRC-32 ${hex(declared)} of ${what}, which is ${hex(observed)}.`,
      effect: "Programs that check refuse the image, others take it.",
    });
  }

  /** Bytes of the file that belong to no chunk and no structure, and bytes that two chunks share in part. */
  #unclaimed(): void {
    const base = this.#trailer.dataFork.offset;
    for (const { table } of this.#volumes) for (const chunk of table.chunks.filter(isStored)) this.#claims.add(base + chunk.offset, base + chunk.offset + chunk.length, 0);
    let claimed = 0;
    let last = { start: -1, end: -1 };
    for (const { start, end, record } of this.#claims.sorted()) {
      const isSame = start === last.start && end === last.end;
      if (start > claimed) this.#gap(claimed, Math.min(start, this.#source.size));
      if (start < claimed && !isSame) this.#overlap(start, record);
      claimed = Math.max(claimed, end);
      last = { start, end };
    }
    if (claimed < this.#source.size) this.#gap(claimed, this.#source.size);
  }

  #gap(start: number, end: number): void {
    this.#findings.add({ anomaly: "gap", offset: start, detail: `${String(end - start)} bytes belong to no chunk and no structure of the image.`, effect: "Nothing that mounts the image shows these bytes." });
  }

  #overlap(start: number, record: number): void {
    this.#findings.add({
      anomaly: "overlap",
      offset: start,
      detail: record < 0 ? "A structure of the image lies inside the data of a chunk." : "The data of two chunks overlaps.",
      effect: "One of them reads bytes that are meant for something else.",
    });
  }
}
