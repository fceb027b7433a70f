import type { ProgressReporter } from "@rea/core";
import type { FactCache } from "../cache/fact-cache.js";
import type { ScriptFile } from "../files/read-file.js";
import { directoryOf, joinPath } from "../resolve/module-tree.js";
import { factsIn, type FoundFacts } from "../worker/found-facts.js";
import type { Job } from "../worker/jobs.js";
import { JobFailed, type WorkerPool } from "../worker/pool.js";
import type { ApplicationFile } from "./application-files.js";
import { semanticLimits } from "../semantics/place-semantics.js";

/** What was read of one text; `failure` says in fixed words why nothing was. */
export type ReadText =
  | (Extract<FoundFacts, { kind: "script" }> & { /** Path of the map that was read with it. */ readonly mapPath: string | null; readonly semantics: () => Uint8Array | undefined })
  | (Extract<FoundFacts, { kind: "page" }> & { readonly semantics: () => Uint8Array | undefined })
  | Extract<FoundFacts, { kind: "map" }>
  | { readonly kind: "failed"; readonly failure: string };

export const textLimits: ScriptFile["limits"] = { astNodes: 40_000_000, findings: 50_000, originals: 5000, mappings: 5_000_000 };

interface Reading {
  readonly pool: WorkerPool;
  readonly cache: FactCache | undefined;
  readonly signal: AbortSignal;
  readonly progress: ProgressReporter;
  /** Reading ends so many milliseconds after it began. */
  readonly timeMs: number;
}

/** Reads texts in threads as they come; scripts with a map wait until all are there, so that both are read at once. */
export class TextReading {
  readonly #reading: Reading;
  readonly #results = new Map<string, ReadText>();
  readonly #jobs: Promise<void>[] = [];
  readonly #waiting: { readonly file: ApplicationFile; readonly link: string }[] = [];
  readonly #maps = new Map<string, ApplicationFile>();
  readonly #fresh = new Map<string, Uint8Array>();
  /** Kept apart from the facts: a run whose graph is kept whole needs none of them. */
  readonly #freshSemantics = new Map<string, Uint8Array>();
  readonly #deadline = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #started = 0;
  #done = 0;
  #late = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#timer = setTimeout(() => this.#deadline.abort(), reading.timeMs);
  }

  /** Texts that were not read because time was up. */
  get late(): number {
    return this.#late;
  }

  take(file: ApplicationFile): void {
    if (file.role === "map") this.#maps.set(file.path, file);
    else if (file.role === "page") this.#start(file, { key: `page ${file.sha256}`, job: (bytes) => ({ kind: "page_file", bytes, limits: { ...textLimits, semantics: semanticLimits(file.path).limits } }) }, null);
    else if (file.role === "script") {
      const link = linkIn(file.bytes);
      if (link === undefined) this.#script(file, undefined);
      else this.#waiting.push({ file, link });
    }
  }

  /** Everything that was read, by path; new facts are kept for the next run. */
  async finish(): Promise<ReadonlyMap<string, ReadText>> {
    const used = new Set<string>();
    for (const { file, link } of this.#waiting) {
      const path = mapPath(file.path, link);
      const map = path === undefined ? undefined : this.#maps.get(path);
      if (map !== undefined) used.add(map.path);
      this.#script(file, map);
    }
    for (const map of this.#maps.values()) {
      if (!used.has(map.path)) this.#start(map, { key: `map ${map.sha256}`, job: (bytes) => ({ kind: "map_file", bytes, limits: textLimits }) }, null);
    }
    try {
      await Promise.all(this.#jobs);
    } finally {
      clearTimeout(this.#timer);
    }
    this.#reading.cache?.put(this.#fresh);
    this.#reading.cache?.put(this.#freshSemantics);
    this.#fresh.clear();
    this.#freshSemantics.clear();
    return this.#results;
  }

  #script(file: ApplicationFile, map: ApplicationFile | undefined): void {
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    // The name's ending decides how a text is read; the rest of the name does not.
    const ending = /(?:\.d)?\.[^.]*$/u.exec(name)?.[0].toLowerCase() ?? "";
    const key = `script ${ending} ${file.sha256} ${map?.sha256 ?? "-"}`;
    // A map may belong to several scripts, so that its bytes are copied.
    const job = (bytes: Uint8Array<ArrayBuffer>): Job => ({
      kind: "script_file",
      file: { name: `x${ending}`, moduleType: null, bytes, map: map?.bytes === undefined ? null : Uint8Array.from(map.bytes), limits: textLimits, semantics: semanticLimits(file.path).limits },
    });
    this.#start(file, { key, job }, map?.path ?? null);
  }

  #start(file: ApplicationFile, { key, job }: { readonly key: string; readonly job: (bytes: Uint8Array<ArrayBuffer>) => Job }, map: string | null): void {
    this.#started += 1;
    const { cache } = this.#reading;
    const semantics = file.role === "map" ? null : `semantics ${semanticLimits(file.path).tier} ${key}`;
    const kept = semantics === null || cache?.has(semantics) === true ? cache?.bytes(key) : undefined;
    const known = kept === undefined ? undefined : factsIn(kept);
    const { bytes } = file;
    file.bytes = undefined;
    if (known !== undefined) {
      this.#settle(file.path, resultOf(known, { map, semantics: () => (semantics === null ? new Uint8Array() : cache?.bytes(semantics)) }));
      return;
    }
    if (bytes === undefined) return;
    this.#jobs.push(this.#read(file.path, { key, semantics, job: job(bytes), map }));
  }

  async #read(path: string, { key, semantics, job, map }: { readonly key: string; readonly semantics: string | null; readonly job: Job; readonly map: string | null }): Promise<void> {
    const { pool, signal } = this.#reading;
    try {
      const answer = await pool.run(job, AbortSignal.any([signal, this.#deadline.signal]), ownBuffers(job));
      const found = answer.kind === "file" ? factsIn(answer.facts) : undefined;
      if (answer.kind !== "file" || found === undefined) throw new JobFailed("The text could not be read.");
      const { facts, semantics: text } = answer;
      if (this.#reading.cache !== undefined) {
        this.#fresh.set(key, facts);
        if (semantics !== null) this.#freshSemantics.set(semantics, text);
      }
      this.#settle(path, resultOf(found, { map, semantics: () => text }));
    } catch (error) {
      const isLate = this.#deadline.signal.aborted && !signal.aborted;
      if (!(error instanceof JobFailed) && !isLate) throw error;
      if (isLate) this.#late += 1;
      this.#settle(path, { kind: "failed", failure: isLate || !(error instanceof Error) ? "The time for reading was up." : error.message });
    }
  }

  #settle(path: string, result: ReadText): void {
    this.#results.set(path, result);
    this.#done += 1;
    this.#reading.progress.report({ phase: "read_scripts", completed: this.#done, total: this.#started, message: "Reading scripts" });
  }
}

function resultOf(found: FoundFacts, { map: mapPath, semantics }: { readonly map: string | null; readonly semantics: () => Uint8Array | undefined }): ReadText {
  if (found.kind === "script") return { ...found, mapPath, semantics };
  return found.kind === "page" ? { ...found, semantics } : found;
}

/** Bytes that are of nobody else: a text that is read has its own, and of maps there are copies. */
function ownBuffers(job: Job): readonly ArrayBuffer[] {
  if (job.kind === "script_file") return [job.file.bytes, ...(job.file.map === null ? [] : [job.file.map])].flatMap(wholeBuffer);
  return job.kind === "map_file" || job.kind === "page_file" ? wholeBuffer(job.bytes) : [];
}

function wholeBuffer({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

const mark = Buffer.from("sourceMappingURL=");
const tailBytes = 65_536;

/** The address in the last link comment, as far as a look at the end of the file shows it; inline maps are not one. */
function linkIn(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset + Math.max(0, bytes.byteLength - tailBytes), Math.min(bytes.byteLength, tailBytes));
  const at = tail.lastIndexOf(mark);
  if (at < 0) return undefined;
  const value = /^[^\s'"*]*/u.exec(tail.toString("utf8", at + mark.length, Math.min(tail.byteLength, at + mark.length + 4096)))?.[0] ?? "";
  return value === "" || value.startsWith("data:") ? undefined : value;
}

/** Where a link leads inside the application; undefined for other hosts and for what leaves it. */
export function mapPath(script: string, link: string): string | undefined {
  if (/^(?:[a-z][\w+.-]*:|\/)/iu.test(link)) return undefined;
  const path = link.replace(/[?#].*$/su, "");
  try {
    return joinPath(directoryOf(script), decodeURIComponent(path));
  } catch {
    // A stray percent sign stands for itself.
    return joinPath(directoryOf(script), path);
  }
}
