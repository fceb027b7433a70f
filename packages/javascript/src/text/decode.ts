/** How a file's bytes were read as text. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "latin-1";
  /** Bytes in front of the text: a byte order mark. */
  readonly prefixBytes: number;
}

/**
 * Text of a file's bytes. A byte order mark decides; without one it is UTF-8, and bytes that are not valid UTF-8 are read one
 * by one as Latin-1, so that every offset still has its place.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes.subarray(2)), encoding: "utf-16le", prefixBytes: 2 };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes.subarray(2)), encoding: "utf-16be", prefixBytes: 2 };
  const prefixBytes = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  const body = bytes.subarray(prefixBytes);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body), encoding: "utf-8", prefixBytes };
  } catch {
    // Said by the encoding: the text is an answer all the same.
    return { text: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"), encoding: "latin-1", prefixBytes };
  }
}

/** Text in UTF-8 with a buffer of its own, so that it can go to another thread without being copied. */
export type Text = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export function encodeText(text: string): Text {
  const bytes = new Uint8Array(Buffer.byteLength(text));
  encoder.encodeInto(text, bytes);
  return bytes;
}
