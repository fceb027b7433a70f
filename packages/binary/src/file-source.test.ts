import { execFileSync } from "node:child_process";
import { appendFileSync, closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { ReaError } from "@rea/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openFileSource } from "./file-source.js";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "rea-source-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function refusal(file: string): ReaError {
  try {
    openFileSource(file).close();
  } catch (error) {
    if (error instanceof ReaError) return error;
    throw error;
  }
  throw new Error("The file was opened.");
}

describe("openFileSource", () => {
  test("reads any range of a file, through a symbolic link too", () => {
    const file = path.join(directory, "a");
    writeFileSync(file, "0123456789");
    symlinkSync(file, path.join(directory, "b"));
    const source = openFileSource(path.join(directory, "b"));
    expect(source.size).toBe(10);
    expect(Buffer.from(source.read(3, 4)).toString()).toBe("3456");
    expect(() => source.read(8, 3)).toThrow(ReaError);
    source.close();
    source.close();
  });

  test("refuses what is absent, and names the path the caller gave", () => {
    const file = path.join(directory, "no\u202esuch");
    const error = refusal(file);
    expect(error.code).toBe("target_unavailable");
    expect(error.details).toEqual({ reason: "missing", path: file.replace("\u202e", "\\u{202e}") });
    expect(error.message).not.toContain("such");
  });

  test("refuses directories, devices and sockets", async () => {
    mkdirSync(path.join(directory, "d"));
    const socket = path.join(directory, "s");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    for (const file of [path.join(directory, "d"), "/dev/null", socket]) {
      expect(refusal(file).details).toMatchObject({ reason: "not_regular" });
    }
    await new Promise((resolve) => server.close(resolve));
  });

  test("refuses a named pipe without waiting for a writer", (context) => {
    const pipe = path.join(directory, "p");
    try {
      execFileSync("mkfifo", [pipe]);
    } catch {
      return context.skip("mkfifo is not installed");
    }
    expect(refusal(pipe).details).toMatchObject({ reason: "not_regular" });
  });

  test("reads a sparse file of 4 GiB in pieces", () => {
    const file = path.join(directory, "sparse");
    const size = 4 * 1024 ** 3;
    const handle = openSync(file, "w");
    ftruncateSync(handle, size);
    writeSync(handle, "edge", 3 * 1024 ** 2 - 2);
    writeSync(handle, "end!", size - 4);
    closeSync(handle);
    const source = openFileSource(file);
    expect(source.size).toBe(size);
    expect(Buffer.from(source.read(3 * 1024 ** 2 - 2, 4)).toString()).toBe("edge");
    expect(Buffer.from(source.read(size - 4, 4)).toString()).toBe("end!");
    for (let piece = 0; piece < 100; piece += 1) expect(source.read(piece * 1024 ** 2 + 5 * 1024 ** 2, 1)[0]).toBe(0);
    expect(() => source.read(0, 2 * 1024 ** 3)).toThrow(ReaError);
    source.close();
  });

  test("tells that the file changed since it was opened", () => {
    const file = path.join(directory, "a");
    writeFileSync(file, "one");
    const source = openFileSource(file);
    expect(source.unchanged()).toBe(true);
    appendFileSync(file, "two");
    expect(source.unchanged()).toBe(false);
    expect(Buffer.from(source.read(0, 3)).toString()).toBe("one");
    source.close();
  });
});
