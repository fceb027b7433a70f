import { openArtifact, readContents, type Artifact, type IntegrityPolicy, type Inventory } from "@rea/artifact";
import { omission, type Omission, type ProgressReporter } from "@rea/core";
import { soleFilePath } from "./sole-file.js";

/** A text of the application as it was read. */
export interface ApplicationFile {
  /** Path inside the application, `/` between segments, `!` after the name of a container. */
  readonly path: string;
  readonly sha256: string;
  readonly role: FileRole;
  readonly sizeBytes: number;
  /** Taken out once it was handed on. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
}

export type FileRole = "script" | "page" | "map" | "manifest" | "settings";

/** A file that is known but not read as text. */
export interface ApplicationEntry {
  readonly path: string;
  readonly sha256: string | null;
  readonly sizeBytes: number;
  readonly kind: string;
  readonly isContradicted: boolean;
}

export interface ReadApplication {
  readonly inventory: Inventory;
  readonly files: readonly ApplicationFile[];
  readonly entries: ReadonlyMap<string, ApplicationEntry>;
  readonly omissions: readonly Omission[];
  /** Of each bound that was reached: the first text it left out. */
  readonly left: readonly string[];
  /** Texts that are not what is declared of them. */
  readonly disproved: readonly string[];
}

export interface ApplicationLimits {
  readonly entries: number;
  readonly artifactBytes: number;
  readonly entryBytes: number;
  readonly textFiles: number;
  readonly textBytes: number;
  readonly textFileBytes: number;
}

export const applicationLimits: ApplicationLimits = {
  entries: 50_000,
  artifactBytes: 2 * 1024 ** 3,
  entryBytes: 128 * 1024 ** 2,
  textFiles: 30_000,
  textBytes: 512 * 1024 ** 2,
  textFileBytes: 8 * 1024 ** 2,
};

const scriptName = /\.(?:[cm]?jsx?|[cm]?ts|tsx|vue|svelte)$/iu;
const declarationName = /\.d\.[cm]?ts$/iu;
const settingsName = /(?:^|\/)(?:app-update\.ya?ml|dev-app-update\.ya?ml|electron-builder\.ya?ml)$/iu;

/** What a file is read as, by its name and first bytes; undefined for what is not read. */
function roleOf(path: string, head: Uint8Array): FileRole | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "package.json") return "manifest";
  if (declarationName.test(name)) return undefined;
  if (scriptName.test(name)) return isTransportStream(head) ? undefined : "script";
  if (/\.html?$/iu.test(name)) return "page";
  if (/\.map$/iu.test(name) && !/\.css\.map$/iu.test(name)) return "map";
  if (settingsName.test(path)) return "settings";
  return !name.includes(".") && isNodeScript(head) ? "script" : undefined;
}

/** `.ts` is also the suffix of MPEG transport streams, whose packets begin with 0x47 and hold bytes that no source does. */
function isTransportStream(head: Uint8Array): boolean {
  return head[0] === 0x47 && head.subarray(0, 64).includes(0);
}

function isNodeScript(head: Uint8Array): boolean {
  return /^#![^\n]*\b(?:node|bun|deno)\b/u.test(Buffer.from(head).toString("latin1"));
}

export interface ReadingOptions {
  readonly path: string;
  readonly integrityPolicy: IntegrityPolicy;
  readonly signal: AbortSignal;
  readonly progress: ProgressReporter;
  /** Only what lies below this logical path, which becomes the application's root. */
  readonly innerPath: string | undefined;
  readonly limits: ApplicationLimits;
  /** A single file keeps the name that it has on this machine; default false, see `soleFilePath`. */
  readonly keepsName?: boolean;
  /** Shown each text as soon as it is there. */
  readonly onFile: (file: ApplicationFile) => void;
}

/** Walks the input once: hashes everything, keeps the texts. */
export async function readApplication(options: ReadingOptions): Promise<ReadApplication> {
  const artifact = openArtifact(options.path);
  try {
    return await new ApplicationReading(artifact, options).read();
  } finally {
    artifact.close();
  }
}

class ApplicationReading {
  readonly #artifact: Artifact;
  readonly #options: ReadingOptions;
  readonly #files: ApplicationFile[] = [];
  readonly #left = new Map<"text_files" | "text_bytes" | "text_file_bytes", { count: number; first: string }>();
  readonly #disproved: string[] = [];
  #textBytes = 0;

  constructor(artifact: Artifact, options: ReadingOptions) {
    this.#artifact = artifact;
    this.#options = options;
  }

  async read(): Promise<ReadApplication> {
    const { integrityPolicy, signal, progress, limits } = this.#options;
    const bounds = { maxEntries: limits.entries, maxTotalBytes: limits.artifactBytes, maxEntryBytes: limits.entryBytes };
    const found = await readContents(this.#artifact, {
      operation: "analyze_javascript_application",
      integrityPolicy,
      signal,
      progress,
      limits: bounds,
      wants: (path, head) => (this.#inside(path) !== undefined || path === this.#artifact.name) && this.#roleOf(path, head) !== undefined ? limits.textFileBytes : undefined,
      take: ({ logicalPath, duplicateIndex, bytes, sha256 }) => {
        if (duplicateIndex === 0) this.#take(logicalPath, bytes, sha256);
      },
      leave: (path, why) => (why === "too_large" ? this.#leave("text_file_bytes", path) : this.#disproved.push(path)),
    });
    this.#files.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { inventory: found, files: this.#files, entries: this.#entries(found), omissions: this.#omissions(found), left: [...this.#left.values()].map(({ first }) => first).sort(), disproved: this.#disproved.sort() };
  }

  #take(logicalPath: string, bytes: Uint8Array<ArrayBuffer>, sha256: string): void {
    const { limits, onFile } = this.#options;
    const path = logicalPath === "." ? this.#sole(this.#artifact.name) : this.#inside(logicalPath);
    const role = path === undefined ? undefined : this.#roleOf(logicalPath === "." ? this.#artifact.name : logicalPath, bytes.subarray(0, 64));
    if (path === undefined || role === undefined) return;
    if (this.#files.length >= limits.textFiles) this.#leave("text_files", path);
    else if (this.#textBytes + bytes.byteLength > limits.textBytes) this.#leave("text_bytes", path);
    else {
      this.#textBytes += bytes.byteLength;
      const file: ApplicationFile = { path, sha256, role, sizeBytes: bytes.byteLength, bytes };
      this.#files.push(file);
      onFile(file);
    }
  }

  /** A single file is what it was given for, whatever its name. */
  #roleOf(path: string, head: Uint8Array): FileRole | undefined {
    const role = roleOf(path, head);
    if (role !== undefined || path !== this.#artifact.name || this.#artifact.root.kind === "directory") return role;
    return /^\s*\{/u.test(Buffer.from(head).toString("latin1")) ? "map" : "script";
  }

  /** The path below the root that was asked for. */
  #inside(logicalPath: string): string | undefined {
    const { innerPath } = this.#options;
    if (innerPath === undefined) return logicalPath;
    for (const root of [`${innerPath}/`, `${innerPath}!/`]) if (logicalPath.startsWith(root)) return logicalPath.slice(root.length);
    return logicalPath === innerPath ? this.#sole(logicalPath.slice(logicalPath.lastIndexOf("/") + 1)) : undefined;
  }

  #sole(name: string): string {
    return this.#options.keepsName === true ? name : soleFilePath(name);
  }

  #leave(limit: "text_files" | "text_bytes" | "text_file_bytes", path: string): void {
    const known = this.#left.get(limit);
    if (known === undefined) this.#left.set(limit, { count: 1, first: path });
    else {
      known.count += 1;
      if (path < known.first) known.first = path;
    }
  }

  #entries({ graph }: Inventory): ReadonlyMap<string, ApplicationEntry> {
    const nodes = new Map(graph.nodes.map((node) => [node.artifact_id, node]));
    const entries = new Map<string, ApplicationEntry>();
    for (const one of graph.occurrences) {
      const path = one.logical_path === "." ? undefined : this.#inside(one.logical_path);
      if (path === undefined || one.entry_kind !== "file" || entries.has(path)) continue;
      const node = one.artifact_id === null ? undefined : nodes.get(one.artifact_id);
      entries.set(path, { path, sha256: node?.sha256 ?? null, sizeBytes: node?.bytes ?? 0, kind: one.artifact_kind, isContradicted: one.hash_status === "mismatched" });
    }
    for (const { path, sha256, sizeBytes } of this.#files) {
      if (!entries.has(path)) entries.set(path, { path, sha256, sizeBytes, kind: "javascript", isContradicted: false });
    }
    return entries;
  }

  #omissions({ omissions }: Inventory): readonly Omission[] {
    const { limits } = this.#options;
    const found: Omission[] = [...omissions];
    for (const [limit, { count }] of [...this.#left].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const bound = limit === "text_files" ? limits.textFiles : limit === "text_bytes" ? limits.textBytes : limits.textFileBytes;
      const reason = limit === "text_files" ? "limit_entries" : limit === "text_bytes" ? "limit_total_bytes" : "limit_entry_bytes";
      found.push(omission("Texts beyond a bound of the analysis; the first of them is among the unknowns.", reason, { count, limit: bound, how_to_continue: "Analyse a part of the application, by its path or inner_path." }));
    }
    if (this.#disproved.length > 0) found.push(omission("Texts that are not what is declared of them; they were not analysed.", "integrity_mismatch", { count: this.#disproved.length }));
    return found;
  }
}
