import { inflateSync } from "node:zlib";
import { sha256Hex } from "@rea/core";

/** What an image says of the meaning of its samples. Two images can be compared by their samples only when both say the same. */
export interface ColorDescription {
  /** Digest of the embedded ICC profile, decompressed; null where there is none. */
  readonly icc_profile_sha256: string | null;
  /** Gamma times 100,000. */
  readonly gamma: number | null;
  /** Rendering intent of an sRGB chunk. */
  readonly srgb_intent: number | null;
  readonly chromaticities_sha256: string | null;
  /** Code points of a cICP chunk, as hex. */
  readonly coding_points: string | null;
}

const profileBytes = 16 * 1024 * 1024;

/** Collects the chunks that describe colours; the first of each kind counts. */
export class ColorChunks {
  readonly #chunks = new Map<string, Buffer>();

  take(type: string, data: Buffer): void {
    if (!this.#chunks.has(type)) this.#chunks.set(type, data);
  }

  describe(): ColorDescription {
    const [gamma, intent, chromaticities, points, profile] = ["gAMA", "sRGB", "cHRM", "cICP", "iCCP"].map((type) => this.#chunks.get(type));
    return {
      icc_profile_sha256: profile === undefined ? null : profileDigest(profile),
      gamma: gamma?.length === 4 ? gamma.readUInt32BE(0) : null,
      srgb_intent: intent?.length === 1 ? intent.readUInt8(0) : null,
      chromaticities_sha256: chromaticities === undefined ? null : sha256Hex(chromaticities),
      coding_points: points?.length === 4 ? points.toString("hex") : null,
    };
  }
}

/** Of the profile itself, so that its name and how it was compressed do not matter; of the chunk where it cannot be read. */
function profileDigest(chunk: Buffer): string {
  const nameEnd = chunk.indexOf(0);
  try {
    return sha256Hex(inflateSync(chunk.subarray(nameEnd + 2), { maxOutputLength: profileBytes }));
  } catch {
    return sha256Hex(chunk);
  }
}
