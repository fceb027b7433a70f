export interface CarRendition {
  /** Numbers of the key, in the order of the key format. */
  readonly key: readonly number[];
  readonly name: string;
  readonly width?: number;
  readonly height?: number;
  readonly scale?: number;
  readonly pixelFormat?: string;
  readonly layout?: number;
  readonly flags?: number;
  /** Records between header and data. */
  readonly list?: Buffer;
  readonly payload: Buffer;
}

export interface CarParts {
  readonly keyFormat: readonly number[];
  readonly facets: readonly (readonly [name: string, identifier: number])[];
  readonly appearances?: readonly (readonly [name: string, number: number])[];
  readonly renditions: readonly CarRendition[];
  readonly declaredRenditions?: number;
  /** Entries of a page of a tree; more pages get a root above them. */
  readonly pageEntries?: number;
}

/** The bytes of a compiled asset catalog of these parts. */
export function car(parts: CarParts): Buffer {
  const bom = new BomWriter();
  bom.variable("CARHEADER", header(parts.declaredRenditions ?? parts.renditions.length));
  bom.variable("EXTENDED_METADATA", metadata());
  bom.variable("KEYFORMAT", Buffer.concat([tag("kfmt"), u32(0), u32(parts.keyFormat.length), ...parts.keyFormat.map(u32)]));
  const size = parts.pageEntries ?? 100;
  bom.tree("FACETKEYS", parts.facets.map(([name, identifier]) => [Buffer.from(name), facet(identifier)]), size);
  bom.tree("APPEARANCEKEYS", (parts.appearances ?? []).map(([name, number]) => [Buffer.from(name), u16(number)]), size);
  bom.tree("RENDITIONS", parts.renditions.map((one) => [Buffer.concat(one.key.map(u16)), csi(one)]), size);
  bom.variable("BITMAPKEYS", Buffer.alloc(8));
  return bom.bytes();
}

export function celm(compression: number, data: Buffer): Buffer {
  return Buffer.concat([tag("CELM"), u32(0), u32(compression), u32(data.byteLength), data]);
}

export function rawd(data: Buffer): Buffer {
  return Buffer.concat([tag("RAWD"), u32(0), u32(data.byteLength), data]);
}

export function color(components: readonly number[]): Buffer {
  const doubles = components.map((component) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(component);
    return bytes;
  });
  return Buffer.concat([tag("COLR"), u32(1), u32(1), u32(components.length), ...doubles]);
}

/** A record that names a uniform type. */
export function utiRecord(uti: string): Buffer {
  const text = Buffer.from(`${uti}\0`);
  return Buffer.concat([u32(1005), u32(8 + text.byteLength), u32(text.byteLength), u32(0), text]);
}

/** A record that links into another rendition. */
export function linkRecord(place: readonly [x: number, y: number, width: number, height: number]): Buffer {
  return Buffer.concat([u32(1010), u32(28), tag("INLK"), u32(0), ...place.map(u32), u16(12), u16(0)]);
}

function header(count: number): Buffer {
  const text = (value: string, length: number) => Buffer.concat([Buffer.from(value), Buffer.alloc(length)]).subarray(0, length);
  const numbers = [498, 17, 1_700_000_000, count].map(u32);
  const uuid = Buffer.from("00112233445566778899aabbccddeeff", "hex");
  return Buffer.concat([tag("CTAR"), ...numbers, text("@(#)PROGRAM:CoreUI\n", 128), text("Xcode 15", 256), uuid, ...[0xabcd, 2, 1, 2].map(u32)]);
}

function metadata(): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from(value), Buffer.alloc(256)]).subarray(0, 256);
  return Buffer.concat([tag("META"), text(""), text("17.0"), text("ios"), text("actool 15")]);
}

function facet(identifier: number): Buffer {
  return Buffer.concat([0, 0, 3, 1, 85, 2, 220, 17, identifier].map(u16));
}

function csi({ name, width = 0, height = 0, scale = 0, pixelFormat, layout = 12, flags = 0, list = Buffer.alloc(0), payload }: CarRendition): Buffer {
  const format = pixelFormat === undefined ? u32(0) : tag(pixelFormat);
  const text = Buffer.concat([Buffer.from(name), Buffer.alloc(128)]).subarray(0, 128);
  const start = [tag("CTSI"), u32(1), u32(flags), u32(width), u32(height), u32(scale), format, u32(1), u32(0), u16(layout), u16(0), text];
  return Buffer.concat([...start, u32(list.byteLength), u32(1), u32(0), u32(payload.byteLength), list, payload]);
}

function tag(text: string): Buffer {
  return Buffer.from(text.padEnd(4), "latin1").reverse();
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function big(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

class BomWriter {
  readonly #blocks: Buffer[] = [Buffer.alloc(0)];
  readonly #variables: Buffer[] = [];

  #block(bytes: Buffer): number {
    this.#blocks.push(bytes);
    return this.#blocks.length - 1;
  }

  variable(name: string, bytes: Buffer): void {
    this.#variables.push(Buffer.concat([big(this.#block(bytes)), Buffer.from([name.length]), Buffer.from(name)]));
  }

  tree(name: string, entries: readonly (readonly [Buffer, Buffer])[], pageEntries: number): void {
    const pages = [];
    for (let at = 0; at === 0 || at < entries.length; at += pageEntries) {
      const pairs = entries.slice(at, at + pageEntries).map(([key, value]) => [this.#block(value), this.#block(key)] as const);
      pages.push(pairs);
    }
    const first = this.#blocks.length;
    pages.forEach((pairs, index) => {
      const next = index + 1 < pages.length ? first + index + 1 : 0;
      this.#block(page(true, next, pairs));
    });
    const root = pages.length === 1 ? first : this.#block(page(false, 0, pages.map((pairs, index) => [first + index, pairs[0]?.[1] ?? 0] as const)));
    this.variable(name, Buffer.concat([Buffer.from("tree"), big(1, root, 4096, entries.length), Buffer.from([0])]));
  }

  bytes(): Buffer {
    const pieces: Buffer[] = [];
    const table: Buffer[] = [big(this.#blocks.length)];
    let at = 512;
    for (const block of this.#blocks) {
      table.push(big(block.byteLength === 0 ? 0 : at, block.byteLength));
      pieces.push(block);
      at += block.byteLength;
    }
    const index = Buffer.concat(table);
    const variables = Buffer.concat([big(this.#variables.length), ...this.#variables]);
    const start = Buffer.concat([Buffer.from("BOMStore"), big(1, this.#blocks.length, at, index.byteLength, at + index.byteLength, variables.byteLength)]);
    return Buffer.concat([start, Buffer.alloc(512 - start.byteLength), ...pieces, index, variables]);
  }
}

function page(leaf: boolean, next: number, pairs: readonly (readonly [value: number, key: number])[]): Buffer {
  const start = Buffer.alloc(4);
  start.writeUInt16BE(leaf ? 1 : 0, 0);
  start.writeUInt16BE(pairs.length, 2);
  return Buffer.concat([start, big(next, 0), ...pairs.map(([value, key]) => big(value, key))]);
}
