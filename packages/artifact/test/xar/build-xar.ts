import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

export interface XarSample {
  readonly name: string;
  readonly type?: string;
  readonly link?: string;
  readonly linkId?: string;
  readonly mode?: string;
  /** Bytes of the content; none makes no `data` element. */
  readonly data?: string | Uint8Array;
  /** Stored form and its encoding; zlib unless said. */
  readonly stored?: { readonly bytes: Uint8Array; readonly encoding: string };
  /** Replaces fields of `data`, which are computed otherwise. */
  readonly fields?: { readonly [field: string]: string };
  readonly children?: readonly XarSample[];
  readonly extra?: string;
}

export interface XarShape {
  readonly files: readonly XarSample[];
  readonly algorithm?: "sha1" | "md5" | "sha256" | "sha512" | "none";
  /** Changes the finished table of contents before it is compressed. */
  readonly toc?: (xml: string) => string;
  readonly headerAlgorithm?: number;
  readonly plainBytes?: number;
  readonly tail?: Uint8Array;
  /** Bytes between the pieces of the heap. */
  readonly gap?: number;
  readonly checksum?: Uint8Array;
}

const numbers = { none: 0, sha1: 1, md5: 2, sha256: 3, sha512: 4 };

/** A xar archive, byte by byte: header, compressed table of contents, heap. */
export function buildXar({ files, algorithm = "sha1", toc = (xml) => xml, tail, gap = 0, ...given }: XarShape): Buffer {
  const digestBytes = algorithm === "none" ? 0 : createHash(algorithm).digest().byteLength;
  const heap: Buffer[] = [Buffer.alloc(digestBytes)];
  let offset = digestBytes;
  let id = 0;
  const element = (file: XarSample): string => {
    id += 1;
    const type = file.type ?? (file.data === undefined && file.children !== undefined ? "directory" : "file");
    const own = `<file id="${String(id)}"><name>${escape(file.name)}</name><type${file.linkId === undefined ? "" : ` link="${file.linkId}"`}>${type}</type>`;
    const link = file.link === undefined ? "" : `<link type="file">${escape(file.link)}</link>`;
    const mode = `<mode>${file.mode ?? "0644"}</mode>`;
    return `${own}${link}${mode}${dataOf(file)}${file.extra ?? ""}${(file.children ?? []).map(element).join("")}</file>`;
  };
  const dataOf = (file: XarSample): string => {
    if (file.data === undefined) return "";
    const plain = Buffer.from(file.data);
    const { bytes, encoding } = file.stored ?? { bytes: deflateSync(plain), encoding: "application/x-gzip" };
    heap.push(Buffer.alloc(gap), Buffer.from(bytes));
    offset += gap;
    const fields: { readonly [field: string]: string } = { length: String(bytes.byteLength), offset: String(offset), size: String(plain.byteLength), archived: hash("sha1", bytes), extracted: hash("sha1", plain), ...file.fields };
    offset += bytes.byteLength;
    return `<data>${["length", "offset", "size"].map((field) => `<${field}>${fields[field] ?? ""}</${field}>`).join("")}<encoding style="${encoding}"/>${["archived", "extracted"]
      .map((which) => `<${which}-checksum style="sha1">${fields[which] ?? ""}</${which}-checksum>`)
      .join("")}</data>`;
  };
  const members = files.map(element).join("\n");
  const checksum = algorithm === "none" ? "" : `<checksum style="${algorithm}"><offset>0</offset><size>${String(digestBytes)}</size></checksum>`;
  const xml = toc(`<?xml version="1.0" encoding="UTF-8"?>\n<xar><toc><creation-time>2026-01-01T00:00:00</creation-time>${checksum}${members}</toc></xar>\n`);
  const compressed = deflateSync(Buffer.from(xml));
  if (algorithm !== "none") heap[0] = Buffer.from(given.checksum ?? createHash(algorithm).update(compressed).digest());
  const header = Buffer.alloc(28);
  header.write("xar!");
  header.writeUInt16BE(28, 4);
  header.writeUInt16BE(1, 6);
  header.writeBigUInt64BE(BigInt(compressed.byteLength), 8);
  header.writeBigUInt64BE(BigInt(given.plainBytes ?? Buffer.byteLength(xml)), 16);
  header.writeUInt32BE(given.headerAlgorithm ?? numbers[algorithm], 24);
  return Buffer.concat([header, compressed, ...heap, tail ?? Buffer.alloc(0)]);
}

function hash(algorithm: string, bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest("hex");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
