import type { AnomalyKind } from "../graph/anomaly.js";
import type { EntryName, FoundAnomaly, ReaderReport } from "../format.js";

/** A finding without the member's name, which its caller adds. */
export type Finding = Omit<FoundAnomaly, "name">;

const shownOfAKind = 1000;

/**
 * Reports contradictions, a thousand of each kind one by one and the rest as a count, so that an archive of nothing but
 * contradictions stays readable and cheap.
 */
export class FindingReport {
  readonly #report: ReaderReport;
  readonly #counts = new Map<AnomalyKind, number>();
  #isFinished = false;

  constructor(report: ReaderReport) {
    this.#report = report;
  }

  add(finding: Finding, name?: EntryName): void {
    const count = (this.#counts.get(finding.anomaly) ?? 0) + 1;
    this.#counts.set(finding.anomaly, count);
    if (count <= shownOfAKind) this.#report.anomaly(name === undefined ? finding : { ...finding, name });
    else if (this.#isFinished && count === shownOfAKind + 1) this.#notWhole(finding.anomaly, "More contradictions of this kind were found and are not listed.");
  }

  /** Tells how many were not shown. To be called once, when the reader has come to the end; contents may be read later. */
  finish(): void {
    this.#isFinished = true;
    for (const [anomaly, count] of this.#counts) {
      if (count <= shownOfAKind) continue;
      this.#notWhole(anomaly, `${String(count - shownOfAKind)} more contradictions of this kind were found and are not listed.`);
    }
  }

  #notWhole(anomaly: AnomalyKind, detail: string): void {
    this.#report.anomaly({ anomaly, offset: null, detail, effect: "The list of this kind is not whole." });
  }
}
