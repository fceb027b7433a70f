import type { Entry, FileRun } from "../format.js";
import type { FilesAnswer } from "../pool/reading-job.js";
import { contentStates } from "../pool/reading-job.js";
import { noDigests, type Fetched } from "../reading/fetched.js";
import type { ReadFile } from "../reading/read-file.js";

/** Undefined for a file that was not read: it is large, or something is wrong with it. */
export function readFileAt({ facts, contents, sha256, artifactDigits }: FilesAnswer, index: number): ReadFile | undefined {
  const state = facts[index * 4];
  if (state !== contentStates.read && state !== contentStates.changed) return undefined;
  const from = index * 64;
  return {
    content: contents.subarray(index === 0 ? 0 : facts[index * 4 - 1], facts[index * 4 + 3]),
    sha256: sha256.slice(from, from + 64),
    artifactDigits: artifactDigits.slice(from, from + 64),
    executable: ((facts[index * 4 + 2] ?? 0) & 0o111) !== 0,
    unchanged: state === contentStates.read,
  };
}

/** A file that was read as an entry. Written out: there are many of these. */
export function readEntry({ content, sha256, executable, unchanged }: ReadFile, name: Entry["name"]): Entry {
  const bytes = content.byteLength;
  const fetched: Fetched = { bytes, sha256, crc32: undefined, content, head: content, digests: noDigests, blocks: noDigests };
  return {
    name,
    kind: "file",
    declaredBytes: bytes,
    compressedBytes: null,
    location: null,
    encrypted: false,
    linkTarget: null,
    executable,
    checks: [{ kind: "size", bytes }],
    limitations: none,
    content: unchanged ? { fetched, stream: () => piece(content) } : { fetched, stream: () => piece(content), unchanged: () => false },
  };
}

const none: readonly never[] = [];

async function* piece(content: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(content);
}

/** A stretch of what was read together. */
export class ReadRun implements FileRun {
  readonly directory: string;
  readonly names: readonly string[];
  readonly #answer: FilesAnswer;
  readonly #from: number;

  constructor(directory: string, names: readonly string[], { answer, from }: { readonly answer: FilesAnswer; readonly from: number }) {
    this.directory = directory;
    this.names = names;
    this.#answer = answer;
    this.#from = from;
  }

  fileAt(index: number): ReadFile {
    const file = readFileAt(this.#answer, this.#from + index);
    if (file === undefined) throw new RangeError("The run holds no such file.");
    return file;
  }

  entryAt(index: number): Entry {
    const text = this.directory + (this.names[index] ?? "");
    return readEntry(this.fileAt(index), { bytes: Buffer.from(text, "latin1"), text });
  }
}
