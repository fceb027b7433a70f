import { isAscii } from "node:buffer";

/** Text of a property list with the bytes it came from: positions are of characters, offsets of bytes. */
export interface ListText {
  readonly encoding: string;
  /** One character a code unit; in UTF-8 a character a byte, so that only `decoded` gives readable text. */
  readonly units: string;
  offsetOf(position: number): number;
  /** Readable text between two positions. */
  decoded(start: number, end: number): string;
}

/** Judges by the byte order mark, then by where the first NUL bytes stand, then by the XML declaration. */
export function listText(bytes: Uint8Array): ListText {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [first, second, third] = data;
  if (first === 0xff && second === 0xfe) return wide(data.subarray(2), 2, "utf-16le");
  if (first === 0xfe && second === 0xff) return wide(data.subarray(2), 2, "utf-16be");
  if (first !== 0 && second === 0) return wide(data, 0, "utf-16le");
  if (first === 0 && second !== 0 && second !== undefined) return wide(data, 0, "utf-16be");
  if (first === 0xef && second === 0xbb && third === 0xbf) return narrow(data.subarray(3), 3, "utf-8");
  const declared = /^\s*<\?xml[^>]{0,200}\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/i.exec(data.toString("latin1", 0, 512));
  const latin = /^(?:iso-8859-1|latin-?1|us-ascii|ascii)$/i.test(declared?.[1] ?? "");
  return narrow(data, 0, latin ? "latin1" : "utf-8");
}

function wide(data: Buffer, skipped: number, encoding: "utf-16le" | "utf-16be"): ListText {
  const even = data.subarray(0, data.length - (data.length % 2));
  const units = encoding === "utf-16le" ? even.toString("utf16le") : Buffer.from(even).swap16().toString("utf16le");
  return {
    encoding,
    units,
    offsetOf: (position) => skipped + position * 2,
    decoded: (start, end) => units.slice(start, end),
  };
}

function narrow(data: Buffer, skipped: number, encoding: "utf-8" | "latin1"): ListText {
  const units = data.toString("latin1");
  if (encoding === "latin1" || isAscii(data)) {
    return { encoding, units, offsetOf: (position) => skipped + position, decoded: (start, end) => units.slice(start, end) };
  }
  return {
    encoding,
    units,
    offsetOf: (position) => skipped + position,
    decoded: (start, end) => data.toString("utf8", start, end),
  };
}
