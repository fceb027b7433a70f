import type { ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { bufferOf } from "../../reading/piece-window.js";
import { hasValidChecksum } from "./object.js";

/** Blocks of a container; objects whose checksum does not hold are told, once each. */
export class Blocks {
  readonly source: ByteSource;
  readonly blockBytes: number;
  readonly #findings: FindingReport;
  readonly #told = new Set<number>();

  constructor(source: ByteSource, blockBytes: number, findings: FindingReport) {
    this.source = source;
    this.blockBytes = blockBytes;
    this.#findings = findings;
  }

  /** A block that is an object; throws outside the container. */
  object(number: number): Buffer {
    const block = this.raw(number);
    if (!hasValidChecksum(block) && !this.#told.has(number)) {
      this.#told.add(number);
      this.#findings.add({
        anomaly: "bad_checksum_header",
        offset: number * this.blockBytes,
        detail: "An object of the container does not have the checksum that stands in it.",
        effect: "Systems that check refuse it; it was read as it is.",
      });
    }
    return block;
  }

  raw(number: number): Buffer {
    const offset = number * this.blockBytes;
    if (!Number.isSafeInteger(offset) || offset + this.blockBytes > this.source.size) throw brokenData("An APFS container leads to a block outside it.", offset);
    return bufferOf(this.source.read(offset, this.blockBytes));
  }
}
