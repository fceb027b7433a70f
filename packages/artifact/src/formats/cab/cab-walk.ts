import { setImmediate as turn } from "node:timers/promises";
import { omission, throwIfAborted, type ByteSource } from "@rea/core";
import type { DeclaredCheck, Entry, EntryContent, ReaderInput, Unavailable } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import { SolidCursor } from "../../reading/solid-cursor.js";
import { readFiles, readFolders, type CabHeader, type FileRecord } from "./cab-header.js";
import { ClaimedBytes } from "./claimed-bytes.js";
import { companionEntries } from "./companions.js";
import { planFolder, type FolderPlan } from "./folder-plan.js";
import { FolderStream, type CheckedBlock } from "./folder-stream.js";
import { headerFindings, signatureRange } from "./header-findings.js";
import { isKnownMethod } from "./methods.js";
import { cabName, type CabName } from "./names.js";

export interface CabWalkOptions {
  readonly source: ByteSource;
  readonly window: PieceWindow;
  readonly header: CabHeader;
  readonly input: ReaderInput;
  readonly findings: FindingReport;
}

/** Folder numbers of files that other cabinets of the set hold in part. */
const fromPrevious = 0xfffd;
const toNext = 0xfffe;
const throughBoth = 0xffff;
const foldersATurn = 256;

/** The files of a cabinet, each a range of a folder's plain bytes. */
export class CabWalk {
  readonly #options: CabWalkOptions;
  readonly #cursor: SolidCursor<FolderPlan, FolderStream>;
  readonly #claimed: ClaimedBytes;
  #plans: readonly FolderPlan[] = [];
  /** The first folder starts in the cabinet before this one. */
  #startsBefore = false;

  constructor(options: CabWalkOptions) {
    const { source, input, findings, header } = options;
    this.#options = options;
    this.#claimed = new ClaimedBytes(header, findings);
    this.#cursor = new SolidCursor({
      open: (plan: FolderPlan) => new FolderStream(source, plan, input.signal),
      onOddEnd: (plan, what) => {
        findings.add({ anomaly: "size_mismatch", offset: plan.start, detail: `A folder's data goes on behind its last file: ${what}`, effect: "Readers that stop at the last file do not notice." });
      },
      limits: input.limits,
    });
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    const { header, input, window, source, findings } = this.#options;
    headerFindings(header, { source, input, findings });
    await this.#planFolders();
    const files = [...readFiles(window, header)];
    this.#startsBefore = files.some(({ folder }) => folder === fromPrevious || folder === throughBoth);
    try {
      for (const file of files) {
        throwIfAborted(input.signal, "cab_files");
        yield await Promise.resolve(this.#entry(file));
      }
      yield* companionEntries(header);
    } finally {
      await this.#cursor.close();
    }
    this.#tellOfMissing(files);
    this.#claimed.addFiles(files);
    const signature = signatureRange(source, header);
    if (signature !== undefined) this.#claimed.addSignature(signature);
    this.#claimed.report(source.size, this.#plans);
  }

  async #planFolders(): Promise<void> {
    const { source, header, window, input } = this.#options;
    // Each block takes eight bytes of the file or more.
    const allowance = { left: Math.ceil(source.size / 8) };
    const plans: FolderPlan[] = [];
    for (const record of readFolders(window, header)) {
      throwIfAborted(input.signal, "cab_folders");
      plans.push(planFolder(source, header, { record, allowance }));
      if (plans.length % foldersATurn === 0) await turn();
    }
    this.#plans = plans;
    const missing = header.folderCount - plans.length;
    if (missing > 0) input.report.omission(omission("Folders whose records lie past the end of the cabinet.", "malformed", { count: missing }));
    const cut = plans.filter(({ record, blocks }) => blocks < record.blockCount).length;
    if (cut > 0) input.report.omission(omission("Folders whose data blocks lie past the end of the cabinet.", "malformed", { count: cut }));
  }

  #tellOfMissing(files: readonly FileRecord[]): void {
    const missing = this.#options.header.fileCount - files.length;
    if (missing > 0) this.#options.input.report.omission(omission("Files whose records lie past the end of the cabinet.", "malformed", { count: missing }));
  }

  #entry(file: FileRecord): Entry {
    const named = cabName(file.name, file.attributes);
    const plan = this.#planOf(file);
    const content = this.#content(file, plan);
    if (plan !== undefined && !isKnownMethod(plan.record.method)) this.#tellOfMethod(plan, named);
    return {
      name: named.name,
      kind: "file",
      declaredBytes: file.bytes,
      compressedBytes: null,
      location: plan === undefined || plan.end === plan.start ? null : { offset: plan.start, length: plan.end - plan.start },
      encrypted: false,
      linkTarget: null,
      executable: null,
      checks: [{ kind: "size", bytes: file.bytes }],
      limitations: named.limitation === undefined ? [] : [named.limitation],
      content,
    };
  }

  #planOf({ folder }: FileRecord): FolderPlan | undefined {
    if (folder === fromPrevious || folder === throughBoth) return this.#plans[0];
    return this.#plans[folder === toNext ? this.#plans.length - 1 : folder];
  }

  #content(file: FileRecord, plan: FolderPlan | undefined): EntryContent | Unavailable {
    const missing = this.#missingPart(file, plan);
    if (missing !== undefined) return { reason: "missing_companion", why: missing };
    if (plan === undefined) return { reason: "malformed", why: "The file's folder does not exist." };
    if (plan.problem !== undefined) return plan.problem;
    const end = file.folderOffset + file.bytes;
    if (end > plan.plainBytes) {
      if (plan.goesOn) return { reason: "missing_companion", why: "The file goes on in the next cabinet of the set." };
      return { reason: "malformed", why: "The file reaches past the end of its folder's data." };
    }
    if (!this.#cursor.reaches(plan, file.folderOffset)) {
      return { reason: "limit", why: "More bytes stand before this content in its folder than are decoded to reach it." };
    }
    return this.#open(file, plan);
  }

  /** Which part of a file another cabinet of the set holds. */
  #missingPart({ folder }: FileRecord, plan: FolderPlan | undefined): string | undefined {
    if (folder === fromPrevious) return "The file starts in the previous cabinet of the set.";
    if (folder === toNext) return "The file goes on in the next cabinet of the set.";
    if (folder === throughBoth) return "The file starts in the previous cabinet of the set and goes on in the next.";
    return this.#startsBefore && plan?.record.index === 0 ? "The file's folder starts in the previous cabinet of the set." : undefined;
  }

  #open(file: FileRecord, plan: FolderPlan): EntryContent {
    const start = file.folderOffset;
    return {
      stream: () => this.#cursor.read(plan, start, file.bytes),
      inputBytes: () => this.#cursor.opened(plan)?.packedRead ?? 0,
      lateChecks: () => blockChecks(this.#cursor.opened(plan), start, start + file.bytes),
    };
  }

  #tellOfMethod(plan: FolderPlan, { name }: CabName): void {
    const detail = `Compression method ${String(plan.record.method & 0x0f)} is given by no document.`;
    this.#options.findings.add({ anomaly: "unknown_method", offset: plan.start, detail, effect: "No reader can decode the data by what the header says." }, name);
  }
}

/** The checksums of the blocks a file lies in, as one declaration: the first that does not hold, or the last that does. */
function blockChecks(stream: FolderStream | undefined, start: number, end: number): readonly DeclaredCheck[] {
  if (stream?.last === undefined) return [];
  const touches = (block: CheckedBlock): boolean => block.start < end && block.end > start;
  const shown = stream.wrong.find(touches) ?? stream.last;
  if (!touches(shown)) return [];
  return [
    {
      kind: "measured",
      measure: "checksum",
      hex: hex(shown.declared),
      declaredBy: `the data block at offset ${String(shown.offset)}`,
      observed: () => hex(shown.computed),
    },
  ];
}

function hex(value: number): string {
  return value.toString(16).padStart(8, "0");
}
