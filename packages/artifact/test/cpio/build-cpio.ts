import type { CpioKind } from "../../src/formats/cpio/cpio-header.js";

export interface CpioFields {
  readonly name: string;
  readonly data?: string | Buffer;
  readonly mode?: number;
  readonly inode?: number;
  readonly links?: number;
  /** The sum the "crc" layout declares; that of the data unless given. */
  readonly sum?: number;
  readonly size?: number;
}

export function cpioMember(kind: CpioKind, fields: CpioFields): Buffer {
  const data = Buffer.from(fields.data ?? "");
  const name = Buffer.from(`${fields.name}\0`);
  const all = { mode: 0o100644, inode: 1, links: 1, size: data.byteLength, sum: data.reduce((sum, byte) => sum + byte, 0), ...fields, name, data };
  if (kind === "newc" || kind === "crc") return hexMember(kind, all);
  return kind === "odc" ? octalMember(all) : binaryMember(kind, all);
}

export function cpioArchive(kind: CpioKind, ...members: readonly CpioFields[]): Buffer {
  return Buffer.concat([...members, { name: "TRAILER!!!", mode: 0 }].map((fields) => cpioMember(kind, fields)));
}

interface Member {
  readonly name: Buffer;
  readonly data: Buffer;
  readonly mode: number;
  readonly inode: number;
  readonly links: number;
  readonly size: number;
  readonly sum: number;
}

function aligned(bytes: Buffer, to: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((to - (bytes.byteLength % to)) % to)]);
}

function hexMember(kind: "newc" | "crc", { name, data, mode, inode, links, size, sum }: Member): Buffer {
  const fields = [inode, mode, 0, 0, links, 0, size, 0, 1, 0, 0, name.byteLength, kind === "crc" ? sum : 0];
  const header = (kind === "crc" ? "070702" : "070701") + fields.map((field) => field.toString(16).padStart(8, "0")).join("");
  return Buffer.concat([aligned(Buffer.concat([Buffer.from(header), name]), 4), aligned(data, 4)]);
}

function octalMember({ name, data, mode, inode, links, size }: Member): Buffer {
  const six = (value: number): string => value.toString(8).padStart(6, "0");
  const eleven = (value: number): string => value.toString(8).padStart(11, "0");
  const header = ["070707", six(1), six(inode), six(mode), six(0), six(0), six(links), six(0), eleven(0), six(name.byteLength), eleven(size)].join("");
  return Buffer.concat([Buffer.from(header), name, data]);
}

function binaryMember(kind: "binary-little" | "binary-big", { name, data, mode, inode, links, size }: Member): Buffer {
  const words = [0o070707, 1, inode, mode, 0, 0, links, 0, 0, 0, name.byteLength, Math.floor(size / 65_536), size % 65_536];
  const header = Buffer.alloc(26);
  for (const [index, word] of words.entries()) {
    if (kind === "binary-little") header.writeUInt16LE(word, index * 2);
    else header.writeUInt16BE(word, index * 2);
  }
  return Buffer.concat([header, aligned(name, 2), aligned(data, 2)]);
}
