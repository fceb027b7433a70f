import { ReaError } from "@rea/core";
import type { Extraction } from "@rea/artifact";

const mostEntries = 500_000;

/** What extractions of a session wrote, to be read in pages. The latest ones stay; the last one always does. */
export class KeptExtractions {
  readonly #byId = new Map<string, Extraction>();

  keep(found: Extraction): void {
    const { extraction_id: id } = found.extraction;
    this.#byId.delete(id);
    this.#byId.set(id, found);
    const [oldest] = this.#byId.keys();
    if (oldest !== undefined && oldest !== id && this.#entries() > mostEntries) this.#byId.delete(oldest);
  }

  forget({ extraction }: Extraction): void {
    this.#byId.delete(extraction.extraction_id);
  }

  /** Throws `invalid_request` when the session does not know it any more. */
  of(id: string): Extraction {
    const found = this.#byId.get(id);
    if (found !== undefined) return found;
    throw new ReaError("invalid_request", {
      message: "extract_artifact does not know this extraction_id any more. Leave it out to extract again.",
      details: { operation: "extract_artifact", issues: [{ path: "extraction_id", reason: "invalid_value", expected: "an extraction of this session" }] },
    });
  }

  #entries(): number {
    return [...this.#byId.values()].reduce((sum, { artifacts, skipped }) => sum + artifacts.length + skipped.length, 0);
  }
}
