import { escapeUntrusted } from "@rea/core";
import { isReaVector, withFacade, hasFacade, commandVectors, isAlignedVector } from "../registration/command-vector.js";
import type { ConfigDocument } from "../documents/config-document.js";
import { changedConfig, readConfig, removedConfigs, type ReadConfig, type WrittenConfig } from "../documents/read-config.js";
import { isSameData } from "../documents/same-data.js";
import { inspectFile, type InspectedFile } from "../files/inspect-file.js";
import { entryChange, isEmptyChange, settingsNow, vectorOf } from "../registration/entry.js";
import type { Installation } from "../registration/installation.js";
import type { ClientHost } from "../table/client-host.js";
import type { Client, ConfigFormat } from "../table/clients.js";
import { lineDiff } from "./line-diff.js";
import { maskedText } from "./masked-text.js";

export interface PlanHost {
  readonly host: ClientHost;
  readonly installation: Installation;
}

/** A file to write, exactly. */
export interface PlannedFile {
  /** As the client names it. */
  readonly path: string;
  /** Behind all links. */
  readonly place: string;
  readonly before: Uint8Array | null;
  /** Null: the file is removed. */
  readonly after: Uint8Array | null;
  readonly mode: number;
  readonly backup: string | null;
  /** What differs, as `diff -u` writes it, with other entries' texts blotted out. */
  readonly diff: string;
}

/** What is to become of one client's configuration. */
export type ClientPlan = { readonly client: Client; readonly path: string } & (
  | { readonly state: "unchanged" }
  | { readonly state: "change"; readonly operation: "create" | "update" | "remove"; readonly file: PlannedFile }
  /** Nothing is done to this client; the others go on. */
  | { readonly state: "skipped"; readonly reason: "detect_only" | "foreign_entry" | "not_registered"; readonly why: string }
  /** Nothing is done to any client before this is corrected. */
  | { readonly state: "blocked"; readonly reason: "malformed" | "file"; readonly why: string; readonly line: number | null; readonly column: number | null }
);

const newFileMode = 0o600;

/** Plans to register this REA with a client. Reads; changes nothing. */
export function planRegistration(client: Client, { host, installation }: PlanHost): ClientPlan {
  return withConfig(client, host, ({ format, path, file, read }): ClientPlan => {
    const about = { client, path };
    const { entry, line } = read.document;
    const vector = entry === undefined ? null : vectorOf(entry, format.shape);
    if (entry !== undefined && (vector === null || !isReaVector(vector, installation.package_name))) {
      return { ...about, state: "skipped", reason: "foreign_entry", why: foreignEntry(line) };
    }
    const forms = commandVectors(installation, host.platform);
    const wanted = vector !== null && isAlignedVector(vector, forms) ? vector : withFacade(forms[0], vector !== null && hasFacade(vector));
    const change = entryChange(entry, wanted, format.shape, host.env);
    if (entry !== undefined && isEmptyChange(change)) return { ...about, state: "unchanged" };
    const after = changedConfig(read, change, format);
    const known = new Set([...wanted, ...(vector ?? []), ...Object.values(settingsNow(host.env)), ...fixedTexts(format)]);
    return planned(about, { file, after, read, known });
  });
}

/** Plans to take REA's own entry out of a client's configuration. Reads; changes nothing. */
export function planRemoval(client: Client, { host, installation }: PlanHost): ClientPlan {
  return withConfig(client, host, ({ format, path, file, read }): ClientPlan => {
    const about = { client, path };
    const { entry, line } = read.document;
    if (entry === undefined) return { ...about, state: "skipped", reason: "not_registered", why: "There is no entry rea." };
    const vector = vectorOf(entry, format.shape);
    if (vector === null || !isReaVector(vector, installation.package_name)) {
      return { ...about, state: "skipped", reason: "foreign_entry", why: foreignEntry(line) };
    }
    const after = afterRemoval(removedConfigs(read, format), { backup: backupBytes(path, host), format });
    return planned(about, { file, after, read, known: new Set(vector) });
  });
}

interface ConfigAtHand {
  readonly format: ConfigFormat;
  readonly path: string;
  readonly file: Extract<InspectedFile, { state: "absent" | "present" }>;
  readonly read: Extract<ReadConfig, { ok: true }>;
}

function withConfig(client: Client, host: ClientHost, plan: (at: ConfigAtHand) => ClientPlan): ClientPlan {
  if (client.config === null) {
    return { client, path: client.marker(host), state: "skipped", reason: "detect_only", why: `${client.label} is detected but keeps its servers elsewhere; add REA in its own settings.` };
  }
  const path = client.config.file(host);
  const file = inspectFile(path, host.uid);
  if (file.state === "refused") return { client, path, state: "blocked", reason: "file", why: file.why, line: null, column: null };
  const read = readConfig(file.state === "present" ? file.bytes : Buffer.alloc(0), client.config);
  if (read.ok) return plan({ format: client.config, path, file, read });
  const { line, column, what } = read.problem;
  return { client, path, state: "blocked", reason: "malformed", why: `${escapeUntrusted(path)}:${String(line)}:${String(column)}: ${what}. Correct it and run the command again.`, line, column };
}

interface Outcome {
  readonly file: ConfigAtHand["file"];
  /** Null: the file is removed. */
  readonly after: WrittenConfig | null;
  readonly read: ConfigAtHand["read"];
  /** Texts that a plan may show. */
  readonly known: ReadonlySet<string>;
}

function planned(about: { readonly client: Client; readonly path: string }, { file, after, read, known }: Outcome): ClientPlan {
  const before = file.state === "present" ? file.bytes : null;
  const removes = after === null || after.read.document.entry === undefined;
  return {
    ...about,
    state: "change",
    operation: removes ? "remove" : before === null ? "create" : "update",
    file: {
      path: about.path,
      place: file.place,
      before,
      after: after === null ? null : after.bytes,
      mode: file.state === "present" ? file.mode : newFileMode,
      backup: before === null || removes ? null : backupPath(about.path),
      diff: diffOf({ before, after, read, known }),
    },
  };
}

/** What stands in the first backup beside a configuration. */
export function backupPath(path: string): string {
  return `${path}.rea.backup`;
}

function backupBytes(path: string, host: ClientHost): Buffer | null {
  const file = inspectFile(backupPath(path), host.uid);
  return file.state === "present" ? file.bytes : null;
}

/** Of the texts that may have been there, the one the backup holds; else the one that is like it. Null: there was no file. */
function afterRemoval(
  candidates: ReturnType<typeof removedConfigs>,
  { backup, format }: { readonly backup: Buffer | null; readonly format: ConfigFormat },
): WrittenConfig | null {
  const [first] = candidates;
  if (first === undefined) throw new Error("an entry cannot be taken out of a configuration");
  if (backup === null) return isEmptyDocument(first) ? null : first;
  const same = candidates.find(({ bytes }) => backup.equals(bytes));
  if (same !== undefined) return same;
  const original = readConfig(backup, format);
  if (!original.ok) return first;
  // Blanks inside what was an empty object cannot be told from the text; the backup has them.
  const alike = candidates.some(({ bytes, read }) => withoutBlanks(bytes) === withoutBlanks(backup) && isSameData(read.document.data, original.document.data));
  if (alike || (original.document.blank && candidates.some(isEmptyDocument))) return { bytes: backup, read: original };
  const had = Object.hasOwn(original.document.data, format.container);
  return candidates.find(({ container }) => container === had) ?? first;
}

function withoutBlanks(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8").replace(/\s+/g, "");
}

function isEmptyDocument({ bytes, read }: WrittenConfig): boolean {
  const text = Buffer.from(bytes).toString("utf8").replace(/^\uFEFF/, "").trim();
  return (text === "" || text === "{}") && Object.keys(read.document.data).length === 0;
}

function diffOf({ before, after, read, known }: Omit<Outcome, "file"> & { readonly before: Uint8Array | null }): string {
  const oldText = before === null ? "" : textOf(before);
  const newText = after === null ? "" : textOf(after.bytes);
  const oldSpans = before === null ? [] : read.document.secrets();
  const said = new Set(oldSpans.map(([start, end]) => oldText.slice(start, end)));
  const isKnown = (span: string) => known.has(unquoted(span));
  const oldMasked = maskedText(oldText, oldSpans, isKnown);
  const newMasked = maskedText(newText, after?.read.document.secrets() ?? [], (span) => isKnown(span) || !said.has(span));
  return lineDiff(oldMasked, newMasked);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8").replace(/^\uFEFF/, "");
}

function unquoted(span: string): string {
  if (span.startsWith("'")) return span.slice(1, -1);
  try {
    const value: unknown = JSON.parse(span);
    return typeof value === "string" ? value : span;
  } catch {
    return span;
  }
}

function fixedTexts(format: ConfigFormat): readonly string[] {
  return Object.values(format.shape.fixed).flat().map(String);
}

function foreignEntry(line: ConfigDocument["line"]): string {
  const where = line === null ? "" : ` in line ${String(line)}`;
  return `There is an entry rea${where} that does not start REA; it is left alone. Rename or remove it and run the command again.`;
}
