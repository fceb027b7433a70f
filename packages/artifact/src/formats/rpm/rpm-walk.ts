import { createHash } from "node:crypto";
import type { DeclaredCheck, DigestAlgorithm, Entry, ReaderInput } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { damage } from "../sequential/damage.js";
import { leftover } from "../sequential/leftover.js";
import { storedContent } from "../sequential/stored-content.js";
import { payloadDeclarations } from "./payload-declarations.js";
import { readRpmHeader, type RpmHeader } from "./rpm-header.js";

const leadBytes = 96;
// Tags of the signature header, then of the main one.
const headerAndPayloadSize = 1000;
const headerAndPayloadSize64 = 270;
const headerAndPayloadMd5 = 1004;
const headerSha1 = 269;
const headerSha256 = 273;
const payloadFormat = 1124;
const payloadCompressor = 1125;
const payloadDigest = 5092;
const payloadDigestAlgorithm = 5093;

const suffixes: { readonly [compressor: string]: string | undefined } = { gzip: ".gz", bzip2: ".bz2", xz: ".xz", lzma: ".lzma", zstd: ".zst" };
/** Numbers of hash algorithms in OpenPGP, which rpm uses. */
const algorithms: { readonly [id: number]: DigestAlgorithm | undefined } = { 1: "md5", 2: "sha1", 8: "sha256", 9: "sha384", 10: "sha512" };

/** The two members of a package: its header and its compressed payload. */
export async function* rpmMembers(reader: SequentialReader, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const headers = await damage(input, reader, "The package's headers", async () => {
    await reader.exactly(leadBytes);
    const signature = await readRpmHeader(reader);
    await reader.exactly((8 - (reader.position % 8)) % 8);
    const offset = reader.position;
    return { signature, main: await readRpmHeader(reader), offset };
  });
  if (headers === undefined) return;
  const { signature, main, offset } = headers;
  yield entry("header", { offset, bytes: main.bytes.byteLength, checks: headerChecks(signature), stream: () => once(main.bytes) });
  const payload = new Payload(reader, signature, main);
  const compressed = entry(payloadName(main), { offset: reader.position, bytes: payload.bytes, checks: payload.checks(), stream: () => payload.stream() });
  yield { ...compressed, inner: payloadDeclarations(main) };
  payload.report(input);
  if (payload.isRead) await leftover(reader, input, "the payload");
}

interface Part {
  readonly offset: number;
  /** Undefined when only the end of the file tells. */
  readonly bytes: number | undefined;
  readonly checks: readonly DeclaredCheck[];
  readonly stream: () => AsyncIterable<Uint8Array>;
}

function entry(name: string, { offset, bytes, checks, stream }: Part): Entry {
  return {
    name: utf8Name(Buffer.from(name)),
    kind: "file",
    declaredBytes: bytes ?? null,
    compressedBytes: bytes ?? null,
    location: bytes === undefined ? null : { offset, length: bytes },
    encrypted: false,
    linkTarget: null,
    executable: null,
    checks,
    limitations: [],
    content: { stream },
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes);
}

function headerChecks(signature: RpmHeader): readonly DeclaredCheck[] {
  const digest = (algorithm: "sha1" | "sha256", tag: number): readonly DeclaredCheck[] => {
    const hex = signature.text(tag);
    return hex === undefined ? [] : [{ kind: "digest", algorithm, hex, declaredBy: "rpm signature header" }];
  };
  return [...digest("sha1", headerSha1), ...digest("sha256", headerSha256)];
}

/** `payload.cpio.gz`, by what the header says of the payload. */
function payloadName(main: RpmHeader): string {
  const format = main.text(payloadFormat);
  const suffix = suffixes[main.text(payloadCompressor) ?? "gzip"] ?? "";
  return `payload.${format === undefined || !/^[a-z0-9]{1,16}$/.test(format) ? "cpio" : format}${suffix}`;
}

/** The compressed payload, with the one digest that covers header and payload together. */
class Payload {
  isRead = false;
  /** Bytes of the payload, by the signature header. */
  readonly bytes: number | undefined;
  readonly #reader: SequentialReader;
  readonly #main: RpmHeader;
  readonly #offset: number;
  readonly #declaredMd5: string | undefined;
  readonly #md5 = createHash("md5");

  constructor(reader: SequentialReader, signature: RpmHeader, main: RpmHeader) {
    const both = signature.number(headerAndPayloadSize64) ?? signature.number(headerAndPayloadSize);
    this.bytes = both === undefined || both < main.bytes.byteLength ? undefined : both - main.bytes.byteLength;
    this.#reader = reader;
    this.#main = main;
    this.#offset = reader.position;
    this.#declaredMd5 = signature.hex(headerAndPayloadMd5);
    this.#md5.update(main.bytes);
  }

  checks(): readonly DeclaredCheck[] {
    const size: readonly DeclaredCheck[] = this.bytes === undefined ? [] : [{ kind: "size", bytes: this.bytes }];
    const hex = this.#main.text(payloadDigest);
    const algorithm = algorithms[this.#main.number(payloadDigestAlgorithm) ?? 0];
    if (hex === undefined || algorithm === undefined) return size;
    return [...size, { kind: "digest", algorithm, hex, declaredBy: "rpm header" }];
  }

  async *stream(): AsyncGenerator<Uint8Array, void, undefined> {
    const pieces = this.bytes === undefined ? this.#reader.rest() : storedContent(this.#reader, this.bytes);
    for await (const piece of pieces) {
      this.#md5.update(piece);
      yield piece;
    }
    this.isRead = true;
  }

  /** Compares the joint digest, once everything was read. */
  report(input: ReaderInput): void {
    if (!this.isRead || this.#declaredMd5 === undefined || this.#md5.digest("hex") === this.#declaredMd5) return;
    input.report.anomaly({
      anomaly: "digest_mismatch",
      offset: this.#offset,
      detail: "The MD5 of header and payload together is not the one the signature header declares.",
      effect: "rpm refuses the package where it checks this digest.",
    });
  }
}
