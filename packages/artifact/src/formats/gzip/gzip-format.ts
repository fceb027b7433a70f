import { combineCrc32 } from "../../codecs/gzip/crc32-combine.js";
import { decodeGzipData, type GzipTrailer } from "../../codecs/gzip/member.js";
import { readGzipHeader, startsGzipMember, type GzipHeader } from "../../codecs/gzip/member-header.js";
import type { DecoderOptions } from "../../codecs/reader-codec.js";
import { defineFormat, type DeclaredCheck, type EntryName } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { compressedMember } from "../compressed/compressed-member.js";
import { contentName } from "../compressed/content-name.js";
import { damage } from "../sequential/damage.js";

/** gzip (RFC 1952): members one after another are one content; each CRC-32 and length counts. */
export const gzipFormat = defineFormat({
  id: "gzip",
  title: "gzip",
  notes: [
    "Members one after another are read as one content, checked by the joined CRC-32 and lengths of all.",
    "The member is called as the first header says, else like the file without its suffix.",
    "Comments and extra fields of headers are passed over.",
  ],
  relation: "extracts",
  access: "sequential",
  async *entries(reader, input) {
    const first = await damage(input, reader, "The gzip header", () => readGzipHeader(reader));
    if (first === undefined) return;
    const joined = new JoinedTrailers();
    let headerTaken = true;
    async function* decode(from: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
      if (!headerTaken) await readGzipHeader(from);
      headerTaken = false;
      joined.add(yield* decodeGzipData(from, options));
    }
    yield* compressedMember(reader, input, {
      name: nameOf(first) ?? contentName(input.containerName, ["gz", "gzip", "z"]),
      declaredBytes: null,
      checks: [],
      decode,
      starts: startsGzipMember,
      lateChecks: () => joined.checks(),
    });
  },
});

/** RFC 1952 says Latin-1; writers store the name as the file system has it, which today is UTF-8. */
function nameOf({ name }: GzipHeader): EntryName | undefined {
  if (name === undefined || name.byteLength === 0) return undefined;
  const { text } = utf8Name(name);
  return { bytes: name, text: text ?? Buffer.from(name).toString("latin1") };
}

/** The declarations of all members as one about the joined content. */
class JoinedTrailers {
  #crc = 0;
  #bytes = 0;

  add(trailer: GzipTrailer): void {
    this.#crc = combineCrc32(this.#crc, trailer.declaredCrc, trailer.bytes);
    // Lengths are declared modulo 2³²; what is above that is taken from the data.
    this.#bytes += trailer.bytes - (trailer.bytes % 2 ** 32) + trailer.declaredBytes;
  }

  checks(): readonly DeclaredCheck[] {
    return [
      { kind: "crc32", value: this.#crc },
      { kind: "size", bytes: this.#bytes },
    ];
  }
}
