import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { ReaError } from "@rea/core";
import { parseEntry, type AnnotationEntry } from "./annotation-entry.js";

export interface LogTail {
  readonly entries: readonly AnnotationEntry[];
  /** Lines that could not be read; they are skipped. */
  readonly damagedLines: number;
  /** Why the system would not let the log be read; there are no entries then. */
  readonly refusal?: ReaError;
}

const maxLogBytes = 256 * 1024 * 1024;
const newline = 0x0a;

/**
 * One append-only NDJSON file (mode 0600, directory 0700). Every entry is a single `O_APPEND` write, so that several
 * processes can append at the same time; nothing written is ever changed.
 */
export class AnnotationLog {
  readonly #file: string;
  #readTo = 0;
  #endsClean = true;

  constructor(file: string) {
    this.#file = file;
  }

  /** Entries that were appended since the last call, by whatever process. A log that is not there has none. */
  readNew(): LogTail {
    try {
      return this.#readTail();
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return systemCode(error) === "ENOENT" ? nothing : { ...nothing, refusal: failed(error) };
    }
  }

  /** Appends entries durably in one write. Throws `access_denied` or `artifact_operation_failed` when the system refuses. */
  append(entries: readonly AnnotationEntry[]): void {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    // A line that a crash left unfinished must not swallow the next entry.
    const bytes = Buffer.from(this.#endsClean ? text : `\n${text}`);
    if (this.#readTo + bytes.length > maxLogBytes) throw full();
    this.#write(bytes);
  }

  #readTail(): LogTail {
    const handle = openSync(this.#file, constants.O_RDONLY | noFollow);
    try {
      return this.#readFrom(handle);
    } finally {
      closeSync(handle);
    }
  }

  #readFrom(handle: number): LogTail {
    const size = Math.min(fstatSync(handle).size, maxLogBytes);
    if (size <= this.#readTo) return nothing;
    const bytes = readFully(handle, this.#readTo, size - this.#readTo);
    const end = bytes.lastIndexOf(newline) + 1;
    this.#readTo += end;
    this.#endsClean = end === bytes.length;
    return parseLines(bytes.subarray(0, end).toString("utf8"));
  }

  #write(bytes: Buffer): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      const handle = openSync(this.#file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow, 0o600);
      try {
        if (writeSync(handle, bytes) !== bytes.length) throw failed(undefined);
      } finally {
        closeSync(handle);
      }
    } catch (error) {
      throw error instanceof ReaError ? error : failed(error);
    }
  }
}

const nothing: LogTail = { entries: [], damagedLines: 0 };

// Absent on Windows, where the constant is undefined.
const noFollow = constants.O_NOFOLLOW ?? 0;

function readFully(handle: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = readSync(handle, bytes, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

function parseLines(text: string): LogTail {
  const entries: AnnotationEntry[] = [];
  let damagedLines = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const entry = parseEntry(line);
    if (entry === undefined) damagedLines += 1;
    else entries.push(entry);
  }
  return { entries, damagedLines };
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** `access_denied` when the system refuses, else `artifact_operation_failed`. */
function failed(cause: unknown): ReaError {
  const code = systemCode(cause);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS" || code === "ELOOP") {
    return new ReaError("access_denied", {
      message: "The system refused access to the annotation log in the state directory. Check its owner and mode.",
      details: { resource: "annotation log" },
      cause,
    });
  }
  return new ReaError("artifact_operation_failed", {
    message: "The annotation log in the state directory could not be read or written. Check free space and the directory.",
    details: { operation: "annotations", reason: "io" },
    cause,
  });
}

function full(): ReaError {
  return new ReaError("truncated", {
    message: "The annotation log of this target has reached 256 MiB; nothing was added. Move the log away to start a new one.",
    details: { resource: "annotation log", limit_bytes: maxLogBytes },
    action: "Move the log of this target out of the state directory and call again.",
  });
}
