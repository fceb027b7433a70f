import { Extents } from "../../reading/extents.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { CabHeader, FileRecord } from "./cab-header.js";
import type { FolderPlan } from "./folder-plan.js";

/** Numbers from here on stand for folders that other cabinets of the set hold in part ([MS-CAB] CFFILE). */
const firstSharedFolder = 0xfffd;

/** Which bytes of the cabinet, and of each folder, something lays claim to; tells of gaps, overlaps and disorder. */
export class ClaimedBytes {
  readonly #header: CabHeader;
  readonly #findings: FindingReport;
  readonly #extents = new Extents();
  #files: readonly FileRecord[] = [];

  constructor(header: CabHeader, findings: FindingReport) {
    this.#header = header;
    this.#findings = findings;
  }

  addFiles(files: readonly FileRecord[]): void {
    const { offset, foldersOffset, folderCount, folderReserve } = this.#header;
    this.#extents.add(offset, foldersOffset + folderCount * (8 + folderReserve), -1);
    const last = files.at(-1);
    if (last !== undefined) this.#extents.add(offset + this.#header.filesOffset, last.end, -1);
    this.#files = files;
  }

  /** The signature behind a signed cabinet. */
  addSignature({ offset, length }: { readonly offset: number; readonly length: number }): void {
    this.#extents.add(offset, offset + length, -1);
  }

  report(size: number, plans: readonly FolderPlan[]): void {
    for (const { start, end } of plans) if (end > start) this.#extents.add(start, end, -1);
    const declaredEnd = this.#header.offset + this.#header.cabinetBytes;
    let reached = this.#header.offset;
    for (const { start, end } of this.#extents.sorted()) {
      if (start > reached) this.#gap(reached, start);
      if (start < reached) this.#overlap(start, Math.min(end, reached));
      reached = Math.max(reached, end);
    }
    if (reached < Math.min(declaredEnd, size)) this.#gap(reached, Math.min(declaredEnd, size));
    const behind = Math.max(reached, declaredEnd);
    if (behind < size) this.#trailing(behind, size);
    this.#reportFolders(plans);
  }

  #gap(start: number, end: number): void {
    const detail = `${String(end - start)} bytes of the cabinet belong to no structure of it.`;
    this.#findings.add({ anomaly: "gap", offset: start, detail, effect: "No reader of the cabinet shows these bytes." });
  }

  #overlap(start: number, end: number): void {
    const detail = `Bytes ${String(start)} to ${String(end)} belong to more than one structure of the cabinet.`;
    this.#findings.add({ anomaly: "overlap", offset: start, detail, effect: "The same bytes are read as different things; packers never write this." });
  }

  #trailing(start: number, end: number): void {
    const detail = `${String(end - start)} bytes stand behind the cabinet.`;
    this.#findings.add({ anomaly: "trailing_data", offset: start, detail, effect: "No reader of the cabinet shows these bytes; signatures stand there." });
  }

  /** How the files of each folder share its plain bytes. */
  #reportFolders(plans: readonly FolderPlan[]): void {
    const ranges = new Map<number, Extents>();
    let last: FileRecord | undefined;
    let unordered = 0;
    for (const file of this.#files) {
      if (file.folder >= plans.length) continue;
      if (last?.folder === file.folder && file.folderOffset < last.folderOffset) unordered += 1;
      last = file;
      if (file.bytes === 0) continue;
      const extents = ranges.get(file.folder) ?? new Extents();
      extents.add(file.folderOffset, file.folderOffset + file.bytes, file.offset);
      ranges.set(file.folder, extents);
    }
    for (const [folder, extents] of ranges) this.#reportFolder(extents, plans[folder]);
    this.#reportUnused(plans, ranges);
    if (unordered === 0) return;
    const detail = `The data of ${String(unordered)} files stands before that of the file listed before them.`;
    this.#findings.add({ anomaly: "unordered_offsets", offset: null, detail, effect: "Readers that take data in the list's order mix contents up; readers of offsets do not." });
  }

  /** Folders of which no file takes a byte; those at the ends may hold parts of files of the set's other cabinets. */
  #reportUnused(plans: readonly FolderPlan[], used: ReadonlyMap<number, unknown>): void {
    const shared = this.#files.some(({ folder }) => folder >= firstSharedFolder);
    for (const [folder, plan] of plans.entries()) {
      const atEnd = folder === 0 || folder === plans.length - 1;
      if (used.has(folder) || plan.plainBytes === 0 || plan.goesOn || (shared && atEnd)) continue;
      this.#plainGap(plan, plan.plainBytes);
    }
  }

  #reportFolder(extents: Extents, plan: FolderPlan | undefined): void {
    let reached = 0;
    for (const { start, end, record } of extents.sorted()) {
      if (start > reached) this.#plainGap(plan, start - reached);
      if (start < reached) {
        const detail = `The file shares ${String(Math.min(end, reached) - start)} bytes of its folder with another one.`;
        this.#findings.add({ anomaly: "overlap", offset: record, detail, effect: "Readers show the same bytes as parts of several files; packers never write this." });
      }
      reached = Math.max(reached, end);
    }
    if (plan !== undefined && reached < plan.plainBytes && !plan.goesOn) this.#plainGap(plan, plan.plainBytes - reached);
  }

  #plainGap(plan: FolderPlan | undefined, bytes: number): void {
    const detail = `${String(bytes)} bytes of a folder's plain data belong to no file.`;
    this.#findings.add({ anomaly: "gap", offset: plan?.start ?? null, detail, effect: "No reader of the cabinet shows these bytes." });
  }
}
