import type { Entry, Format, InnerDeclarations, ReaderReport } from "../format.js";
import type { Findings } from "./findings.js";
import { LateDeclarations } from "./late-declarations.js";
import type { Place } from "./place.js";

/** How a container is gone through. */
export interface ContainerLevel {
  readonly depth: number;
  readonly countRest: boolean;
  readonly contentState: "materialized" | "embedded";
  readonly format?: Format;
  readonly inner?: InnerDeclarations | undefined;
}

/**
 * What is declared of the members of a container by others than its reader: what stands outside goes to the members, and
 * through compressors to what is in them; of what is read once a list may come behind the members it speaks of.
 */
export class ContainerDeclarations {
  readonly #inner: InnerDeclarations | undefined;
  readonly #isCompressor: boolean;
  readonly #late: LateDeclarations | undefined;
  readonly #report: ReaderReport;

  constructor({ format, inner }: ContainerLevel, report: ReaderReport) {
    this.#inner = inner;
    this.#isCompressor = format?.relation === "extracts";
    this.#late = format?.access === "sequential" && !this.#isCompressor ? new LateDeclarations() : undefined;
    this.#report = report;
  }

  entry(found: Entry): Entry {
    const entry = this.#outside(found);
    return this.#late?.watch(entry) ?? entry;
  }

  #outside(entry: Entry): Entry {
    const inner = this.#inner;
    if (inner === undefined) return entry;
    if (!this.#isCompressor) return inner.entry(entry, this.#report);
    return { ...(inner.extracted?.(entry) ?? entry), inner };
  }

  /** To be called once the container was listed to its end. */
  async finish(container: Place, findings: Findings): Promise<void> {
    if (!this.#isCompressor) this.#inner?.finish(this.#report);
    await this.#late?.finish(container, this.#report, findings);
  }
}
