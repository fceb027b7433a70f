import { omission, ReaError, type Omission, type OmissionReason } from "@rea/core";

interface Finding {
  readonly scope: string;
  readonly reason: OmissionReason;
  readonly note: string;
  readonly limit: number | undefined;
  count: number;
}

/** True for the error every bounds-checked read throws on a structure that leaves its data. */
export function isFormatError(error: unknown): boolean {
  return (
    error instanceof ReaError &&
    error.code === "artifact_operation_failed" &&
    error.toObject().details?.["reason"] === "format"
  );
}

/**
 * Collects what a table could not hold. Findings of one scope and reason are counted together, so that a hostile file
 * yields a bounded list; the note keeps the file offset of the first one.
 */
export class Findings {
  readonly #byKey = new Map<string, Finding>();

  /** A structure that contradicts the file. `problem` is fixed words and numbers only. */
  malformed(scope: string, offset: number, problem: string): void {
    // Hostile tables come here millions of times; the note is made once.
    const known = this.#byKey.get(`malformed ${scope}`);
    if (known !== undefined) known.count += 1;
    else this.#add(scope, "malformed", `First at file offset 0x${offset.toString(16)}: ${problem}`);
  }

  /** A bound of ours that stopped the reading with `count` items left out. */
  limited(scope: string, reason: OmissionReason, count: number, limit: number): void {
    this.#add(scope, reason, "Read the remaining bytes of this table directly; the bound is fixed.", { count, limit });
  }

  note(scope: string, reason: OmissionReason, howToContinue: string): void {
    this.#add(scope, reason, howToContinue);
  }

  /** Runs a read; a read past the end becomes a `malformed` finding and undefined. */
  attempt<T>(scope: string, offset: number, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!isFormatError(error)) throw error;
      this.malformed(scope, offset, "the structure reaches past the end of its data");
      return undefined;
    }
  }

  list(): readonly Omission[] {
    return [...this.#byKey.values()].map((finding) =>
      omission(finding.scope, finding.reason, {
        count: finding.count,
        how_to_continue: finding.note,
        ...(finding.limit === undefined ? {} : { limit: finding.limit }),
      }),
    );
  }

  #add(scope: string, reason: OmissionReason, note: string, amount: { count: number; limit?: number } = { count: 1 }): void {
    const { count, limit } = amount;
    const key = `${reason} ${scope}`;
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, { scope, reason, note, limit, count });
    else known.count += count;
  }
}
