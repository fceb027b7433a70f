import type { ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import type { TarStreamPass } from "../../reading/tar/tar-stream-pass.js";

/** What the entries of one archive are made with. */
export interface EntryContext {
  readonly reader: SequentialReader;
  readonly input: ReaderInput;
  readonly findings: FindingReport;
  /** The library that streams ordinary members, where the archive passes only once. */
  readonly library: () => Promise<TarStreamPass>;
}
