import { realpathSync, statSync } from "node:fs";
import { canonicalSha256, coverageOf, escapeUntrusted, omission, ReaError, type Omission, type OperationContext, type SourceReference, type SourceReferenceEntry, type SourceReferenceUnit } from "@rea/core";
import { textLimits } from "../application/read-texts.js";
import type { ScriptFacts } from "../facts/script-facts.js";
import { hashText } from "../graph/unit-properties.js";
import { applicationRoot } from "../link/application-root.js";
import { linkImport } from "../link/link-import.js";
import { readManifest, type PackageManifest } from "../resolve/manifest.js";
import { directoryOf, ModuleTree } from "../resolve/module-tree.js";
import { ModuleResolver } from "../resolve/resolve-module.js";
import { decodeText } from "../text/decode.js";
import { factsIn } from "../worker/found-facts.js";
import { JobFailed, workerPool, type WorkerPool } from "../worker/pool.js";
import { gitFacts } from "./git-facts.js";
import { languageOf } from "./languages.js";
import { SecretPatterns } from "./secret-patterns.js";
import { sourceLimits, walkSources, type SourceLimits, type WalkedFile, type WalkedSources } from "./walk-sources.js";

export interface ReferenceRequest {
  readonly path: string;
  readonly secretPatterns: readonly string[];
  readonly limits: Partial<SourceLimits>;
  readonly threads: number | null;
}

type FileEntry = Extract<SourceReferenceEntry, { kind: "file" }>;

const scriptBytes = 8 * 1024 * 1024;
const mostWaiting = 64;

/**
 * Reads sources below a directory: digests, languages, manifests, what files ask for, what could not be read. Runs nothing
 * and follows no link. Throws `target_unavailable` and `cancelled`.
 */
export async function importReference(request: ReferenceRequest, { signal, progress }: OperationContext): Promise<SourceReference> {
  const root = directoryAt(request.path);
  const limits = { ...sourceLimits, ...request.limits };
  const pool = workerPool(request.threads === null ? {} : { threads: request.threads });
  const reading = new ReferenceReading(pool, signal);
  try {
    let seen = 0;
    const onFile = async (file: WalkedFile): Promise<void> => {
      seen += 1;
      progress.report({ phase: "read_sources", completed: seen, message: "Reading sources" });
      await reading.take(file);
    };
    const walked = await walkSources({ root, secrets: new SecretPatterns(request.secretPatterns), limits, signal, onFile });
    await reading.finish();
    return reading.reference(walked, { root, limits });
  } finally {
    await pool.close();
  }
}

function directoryAt(path: string): string {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return real;
  } catch {
    throw unavailable(path, "missing", "No directory exists there. Check the path and call again.");
  }
  throw unavailable(path, "not_regular", "Sources are read from a directory. Give the path of one.");
}

function unavailable(path: string, reason: "missing" | "not_regular", message: string): ReaError {
  return new ReaError("target_unavailable", { message, details: { reason, path: escapeUntrusted(path) } });
}

class ReferenceReading {
  readonly #pool: WorkerPool;
  readonly #signal: AbortSignal;
  readonly #entries: FileEntry[] = [];
  readonly #facts = new Map<string, { readonly shown: string; readonly facts: ScriptFacts }>();
  readonly #manifests: { readonly shown: string; readonly manifest: PackageManifest }[] = [];
  readonly #failures: SourceReference["parse_failures"][number][] = [];
  readonly #shown = new Map<string, string>();
  readonly #waiting = new Set<Promise<void>>();

  constructor(pool: WorkerPool, signal: AbortSignal) {
    this.#pool = pool;
    this.#signal = signal;
  }

  /** Waits when many files are being read, so that few are in memory. */
  async take(file: WalkedFile): Promise<void> {
    this.#shown.set(file.path, file.shown);
    const job = this.#read(file).finally(() => this.#waiting.delete(job));
    this.#waiting.add(job);
    // Whoever waits for it hears of a failure; until somebody does, it must not end the thread.
    job.catch(() => undefined);
    while (this.#waiting.size >= mostWaiting) await Promise.race(this.#waiting);
  }

  async finish(): Promise<void> {
    await Promise.all(this.#waiting);
  }

  async #read({ path, shown, sha256, bytes }: WalkedFile): Promise<void> {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const language = languageOf(name, bytes);
    const encoding = encodingOf(bytes);
    const diagnostics = encoding === "invalid-utf-8" ? ["Its bytes are not valid UTF-8; offsets and texts are those of the bytes."] : [];
    const entry = { kind: "file" as const, path: shown, sha256, bytes: bytes.byteLength, language: language?.name ?? null, encoding, diagnostics };
    if (name === "package.json") this.#manifest(path, shown, bytes);
    const unit = language?.isScript === true ? await this.#unit({ path, shown, name, bytes }) : null;
    this.#entries.push({ ...entry, unit });
  }

  #manifest(path: string, shown: string, bytes: Uint8Array): void {
    const manifest = readManifest(directoryOf(path), bytes);
    if (manifest === undefined) this.#fail(shown, "It is no JSON object.");
    else this.#manifests.push({ shown, manifest });
  }

  async #unit({ path, shown, name, bytes }: { readonly path: string; readonly shown: string; readonly name: string; readonly bytes: Uint8Array }): Promise<SourceReferenceUnit | null> {
    if (bytes.byteLength > scriptBytes) {
      this.#fail(shown, "It is larger than a text that is read as a script.");
      return null;
    }
    try {
      const ending = /(?:\.d)?\.[^.]*$/u.exec(name)?.[0].toLowerCase() ?? "";
      // A signal of its own for each: many listeners on one look like a leak.
      const answer = await this.#pool.run({ kind: "script_file", file: { name: `x${ending}`, moduleType: null, bytes, map: null, limits: textLimits } }, AbortSignal.any([this.#signal]));
      const found = answer.kind === "file" ? factsIn(answer.facts) : undefined;
      if (found?.kind !== "script") return null;
      const { facts } = found.facts;
      for (const { what, at } of facts.problems) this.#failures.push({ path: shown, problem: what, line: at?.line ?? null, column: at?.column ?? null });
      this.#facts.set(path, { shown, facts });
      return unitOf(facts);
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error;
      this.#fail(shown, error.message);
      return null;
    }
  }

  #fail(path: string, problem: string): void {
    this.#failures.push({ path, problem, line: null, column: null });
  }

  reference({ others, exclusions, left }: WalkedSources, { root, limits }: { readonly root: string; readonly limits: SourceLimits }): SourceReference {
    const entries: SourceReferenceEntry[] = [...this.#entries, ...others].sort(byPath);
    const omissions: Omission[] = [];
    if (left.entries > 0) omissions.push(omission("Entries beyond the bound.", "limit_entries", { count: left.entries, limit: limits.entries, how_to_continue: "Import a part of the sources." }));
    if (left.totalBytes > 0) omissions.push(omission("Files beyond the bound of bytes.", "limit_total_bytes", { count: left.totalBytes, limit: limits.totalBytes, how_to_continue: "Import a part of the sources." }));
    if (left.depth > 0) omissions.push(omission("Directories beyond the bound of depth.", "limit_depth", { count: left.depth, limit: limits.depth }));
    const unreadable = others.filter(({ kind }) => kind === "unreadable").length;
    if (unreadable > 0) omissions.push(omission("Entries that could not be read.", "unreadable", { count: unreadable }));
    const secret = exclusions.filter(({ reason }) => reason === "secret-pattern").length;
    if (secret > 0) omissions.push(omission("Files that match a secret pattern; they were not opened.", "filtered", { count: secret }));
    return {
      schema: "JavaScriptSourceReference",
      schema_version: 1,
      authority: "historical-reference",
      root_sha256: rootDigest(entries, exclusions),
      inventory_state: omissions.some(({ reason }) => reason !== "filtered") ? "partial" : "complete",
      entries,
      languages: languagesOf(this.#entries),
      manifests: this.#manifests.map(manifestOf).sort(byPath),
      relationships: this.#relationships(),
      parse_failures: this.#failures.sort((a, b) => byPath(a, b) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
      exclusions: [...exclusions].sort(byPath),
      version_control: gitFacts(root),
      coverage: coverageOf(omissions),
      limitations: ["Nothing of the sources was run.", "Sources say what they are now, not what a shipped application was built from.", "Links were not followed."],
    };
  }

  #relationships(): SourceReference["relationships"] {
    const manifests = this.#manifests.map(({ manifest }) => manifest);
    const tree = new ModuleTree(this.#shown.keys(), manifests);
    const resolver = new ModuleResolver(tree);
    const root = applicationRoot(manifests, new Map());
    const found = new Map<string, SourceReference["relationships"][number]>();
    for (const [path, { shown, facts }] of this.#facts) {
      for (const fact of facts.imports) {
        if (fact.specifier === null) continue;
        const target = linkImport(fact, { path, dialect: facts.dialect, root, tree, resolver });
        const specifier = escapeUntrusted(fact.specifier);
        const to = target.kind === "file" ? (this.#shown.get(target.path) ?? null) : null;
        const state = target.kind === "file" ? ("resolved" as const) : target.kind === "missing" ? ("missing" as const) : ("external" as const);
        if (target.kind !== "self" && target.kind !== "dynamic") found.set(`${shown}\0${specifier}`, { from: shown, specifier, state, to });
      }
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, relationship]) => relationship);
  }
}

function unitOf({ unit }: ScriptFacts): SourceReferenceUnit | null {
  if (unit === null) return null;
  const { marks, exports } = unit;
  return {
    structure_sha256: marks.structure,
    code_sha256: marks.code,
    syntax_nodes: marks.nodes,
    words: hashText(marks.words.hashes),
    words_shift: marks.words.shift,
    exports: exports.exports.map(({ name }) => escapeUntrusted(name)),
  };
}

function encodingOf(bytes: Uint8Array): FileEntry["encoding"] {
  const { encoding } = decodeText(bytes);
  if (encoding.startsWith("utf-16")) return "utf-16";
  if (bytes.subarray(0, 8192).includes(0)) return "binary";
  return encoding === "utf-8" ? "utf-8" : "invalid-utf-8";
}

function manifestOf({ shown, manifest }: { readonly shown: string; readonly manifest: PackageManifest }): SourceReference["manifests"][number] {
  const text = (value: string | null): string | null => (value === null ? null : escapeUntrusted(value));
  return { path: shown, name: text(manifest.name), version: text(manifest.version), type: manifest.type, main: text(manifest.main), dependencies: [...manifest.dependencies.keys()].map((name) => escapeUntrusted(name)).sort() };
}

function languagesOf(entries: readonly FileEntry[]): SourceReference["languages"] {
  const found = new Map<string, { files: number; bytes: number }>();
  for (const { language, bytes } of entries) {
    if (language === null) continue;
    const known = found.get(language) ?? { files: 0, bytes: 0 };
    found.set(language, known);
    known.files += 1;
    known.bytes += bytes;
  }
  return [...found].map(([language, counts]) => ({ language, ...counts })).sort((a, b) => b.bytes - a.bytes || (a.language < b.language ? -1 : 1));
}

/** Over what stands at each path. */
function rootDigest(entries: readonly SourceReferenceEntry[], exclusions: WalkedSources["exclusions"]): string {
  const rows = entries.map((entry) => [entry.path, entry.kind, entry.kind === "file" ? entry.sha256 : entry.kind === "symlink" ? entry.target : ""]);
  return canonicalSha256([...rows, ...exclusions.map(({ path, reason }) => [path, "excluded", reason])].sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1)));
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
