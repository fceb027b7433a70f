import { crc32 } from "node:zlib";
import { ColorChunks, type ColorDescription } from "./color-description.js";
import { readHeader, type PngHeader } from "./png-header.js";
import type { PngRefusal } from "./png-refusal.js";

/** A PNG whose chunks were checked; its image data is not decompressed yet. */
export interface PngFile {
  readonly header: PngHeader;
  /** Red, green, blue of each entry; empty for images without a palette. */
  readonly palette: Uint8Array;
  /** As in the tRNS chunk; null where there is none. */
  readonly transparency: Uint8Array | null;
  /** The zlib stream of all IDAT chunks. */
  readonly compressed: Uint8Array;
  readonly color: ColorDescription;
  /** It has an animation control chunk; the image data is that of the default image. */
  readonly animated: boolean;
  /** Bytes after the end chunk, which belong to no image. */
  readonly trailingBytes: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length, type and checksum. */
const frameBytes = 12;

/**
 * Reads the chunks of a PNG and checks signature, lengths, checksums, order and header, so that all sizes are known to be
 * possible before anything is allocated for them. Throws what `refuse` makes.
 */
export function readPng(bytes: Uint8Array, refuse: PngRefusal): PngFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, signature.length).equals(signature)) throw refuse("it does not begin with the signature of PNG");
  const reading = new PngReading(refuse);
  let offset = signature.length;
  while (!reading.ended) {
    if (offset + frameBytes > file.length) throw refuse("it ends before its end chunk", offset);
    const length = file.readUInt32BE(offset);
    if (length > file.length - offset - frameBytes) throw refuse(`a chunk claims ${String(length)} bytes, more than the file has left`, offset);
    const typed = file.subarray(offset + 4, offset + 8 + length);
    if (crc32(typed) !== file.readUInt32BE(offset + 8 + length)) throw refuse("the checksum of a chunk does not match", offset);
    reading.take(typed.toString("latin1", 0, 4), typed.subarray(4), offset);
    offset += frameBytes + length;
  }
  return reading.finish(file.length - offset);
}

class PngReading {
  readonly #refuse: PngRefusal;
  readonly #data: Buffer[] = [];
  readonly #color = new ColorChunks();
  #header: PngHeader | null = null;
  #palette: Buffer | null = null;
  #transparency: Buffer | null = null;
  #animated = false;
  #lastType = "";
  ended = false;

  constructor(refuse: PngRefusal) {
    this.#refuse = refuse;
  }

  take(type: string, data: Buffer, offset: number): void {
    if ((this.#header === null) !== (type === "IHDR")) throw this.#refuse("its header is not the first chunk, or not the only one", offset);
    switch (type) {
      case "IHDR":
        this.#header = readHeader(data, this.#refuse);
        break;
      case "PLTE":
        this.#takePalette(data, offset);
        break;
      case "tRNS":
        this.#takeTransparency(data, offset);
        break;
      case "IDAT":
        if (this.#data.length > 0 && this.#lastType !== "IDAT") throw this.#refuse("its image data is not in one piece", offset);
        this.#data.push(data);
        break;
      case "IEND":
        this.ended = true;
        break;
      case "acTL":
        this.#animated = true;
        break;
      default:
        // PNG §5.4: bit 5 of the first byte is clear in chunks that a decoder must know.
        if (/^[A-Z]/.test(type)) throw this.#refuse("it has a critical chunk that is not known", offset);
        if (this.#data.length === 0) this.#color.take(type, data);
    }
    this.#lastType = type;
  }

  finish(trailingBytes: number): PngFile {
    const header = this.#header;
    if (header === null || this.#data.length === 0) throw this.#refuse("it has no image data");
    if (header.colorType === "indexed" && this.#palette === null) throw this.#refuse("it has no palette");
    return {
      header,
      palette: this.#palette ?? new Uint8Array(0),
      transparency: this.#transparency,
      compressed: this.#data.length === 1 && this.#data[0] !== undefined ? this.#data[0] : Buffer.concat(this.#data),
      color: this.#color.describe(),
      animated: this.#animated,
      trailingBytes,
    };
  }

  #takePalette(data: Buffer, offset: number): void {
    const { colorType, bitDepth } = this.#headerOrRefuse();
    if (colorType === "greyscale" || colorType === "greyscale_alpha") throw this.#refuse("a grey image has a palette", offset);
    if (this.#palette !== null || this.#data.length > 0) throw this.#refuse("its palette is not in its place", offset);
    const most = colorType === "indexed" ? 2 ** bitDepth : 256;
    if (data.length === 0 || data.length % 3 !== 0 || data.length / 3 > most) throw this.#refuse("its palette has an impossible size", offset);
    this.#palette = data;
  }

  #takeTransparency(data: Buffer, offset: number): void {
    const { colorType } = this.#headerOrRefuse();
    if (this.#transparency !== null || this.#data.length > 0) throw this.#refuse("its transparency is not in its place", offset);
    if (!transparencyFits(colorType, data.length, this.#palette)) throw this.#refuse("its transparency does not fit its colour type", offset);
    this.#transparency = data;
  }

  #headerOrRefuse(): PngHeader {
    if (this.#header === null) throw this.#refuse("its header is not the first chunk, or not the only one");
    return this.#header;
  }
}

/** PNG §11.3.1.1. */
function transparencyFits(colorType: PngHeader["colorType"], bytes: number, palette: Buffer | null): boolean {
  switch (colorType) {
    case "greyscale":
      return bytes === 2;
    case "truecolour":
      return bytes === 6;
    case "indexed":
      return palette !== null && bytes >= 1 && bytes <= palette.length / 3;
    case "greyscale_alpha":
    case "truecolour_alpha":
      return false;
  }
}
