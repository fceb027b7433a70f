import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectTarget } from "../src/target/detect-target.js";
import { resolveTarget } from "../src/target/resolve-target.js";
import { call, context, directory, failure, result, runtimeWith, writeTemporary } from "./support.js";

const fifoProgram = "mkfifo";
const resolve = (path: string) => resolveTarget({ path, operation: "open_binary" }, detectTarget, context());

describe("paths", () => {
  test.each(["relative", "./relative", "~/file", "~", "file:///usr/bin/env", "https://example.org/a", "", "/a\0b"])(
    "%j is invalid_request with the expected form",
    async (path) => {
      await expect(resolve(path)).rejects.toMatchObject({
        code: "invalid_request",
        details: { operation: "open_binary", issues: [{ path: "path", reason: "invalid_format" }] },
      });
    },
  );

  test("a missing file, a file below a file and a dangling link are missing", async () => {
    const file = writeTemporary("file", "x");
    const link = join(directory(), "link");
    symlinkSync(join(directory(), "nowhere"), link);
    for (const path of [join(directory(), "no"), join(file, "below"), link]) {
      await expect(resolve(path)).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "missing" } });
    }
  });

  test("a link loop is named as one, not a hang", async () => {
    const link = join(directory(), "loop");
    symlinkSync(link, link);
    await expect(resolve(link)).rejects.toMatchObject({ details: { reason: "unreadable" } });
  });

  test("an unreadable file is unreadable", async (test) => {
    if (process.getuid?.() === 0) return test.skip("root reads every file");
    const path = writeTemporary("secret", "x");
    chmodSync(path, 0);
    await expect(resolve(path)).rejects.toMatchObject({ details: { reason: "unreadable" } });
  });

  test("a FIFO, a device and a socket are not_regular at once", async (test) => {
    if (process.platform === "win32") return test.skip("Windows has no such files");
    const fifo = join(directory(), "fifo");
    execFileSync(fifoProgram, [fifo]);
    const socket = join(directory(), "socket");
    const server = createServer().listen(socket);
    await new Promise((done) => server.once("listening", done));
    for (const path of [fifo, "/dev/zero", socket]) {
      await expect(resolve(path)).rejects.toMatchObject({ details: { reason: "not_regular" } });
    }
    await new Promise((done) => server.close(done));
  });

  test("a link is followed to the real path", async () => {
    const file = writeTemporary("real", "x");
    const link = join(directory(), "link");
    symlinkSync(file, link);
    const { target } = await resolve(link);
    expect(target).toMatchObject({ path: file, name: "real" });
  });

  test("a path with a newline and hidden characters works and is shown escaped", async () => {
    const path = join(directory(), "a\nb\u202e\u{1f600}c");
    writeFileSync(path, "x");
    const service = runtimeWith();
    const opened = await result(service, "open_binary", { path });
    expect(opened.path.endsWith("a\\u{a}b\\u{202e}\u{1f600}c")).toBe(true);
    const { message, details } = await failure(service, "open_binary", { path: `${path}\n` });
    expect(details.reason).toBe("missing");
    expect(message).not.toContain("\n");
    expect(message).toContain("\\u{a}");
  });

  test("any text as a path gives a target or a typed error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), fc.boolean(), async (text, absolute) => {
        const outcome: unknown = await resolve(absolute ? `/${text}` : text).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toMatchObject({ name: "ReaError" });
      }),
      { numRuns: 300 },
    );
  });
});

describe("content", () => {
  test("the digest and size are those of the file, and progress ends at its size", async () => {
    const reports: { completed: number; total?: number }[] = [];
    const { target } = await resolveTarget({ path: process.execPath, operation: "open_binary" }, detectTarget, {
      signal: new AbortController().signal,
      progress: { report: (update) => reports.push(update) },
    });
    const bytes = readFileSync(process.execPath);
    expect(target.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(target.bytes).toBe(bytes.length);
    expect(reports.at(-1)).toMatchObject({ completed: bytes.length, total: bytes.length });
  });

  test("hashing stops when the signal aborts", async () => {
    const controller = new AbortController();
    const progress = { report: () => controller.abort() };
    const opening = resolveTarget({ path: process.execPath, operation: "open_binary" }, detectTarget, {
      signal: controller.signal,
      progress,
    });
    await expect(opening).rejects.toMatchObject({ code: "cancelled" });
  });

  test("a file that changes while it is hashed is target_changed", async () => {
    const path = writeTemporary("big", Buffer.alloc(3 << 20));
    let changed = false;
    const progress = {
      report: () => {
        if (!changed) writeFileSync(path, "short");
        changed = true;
      },
    };
    const opening = resolveTarget({ path, operation: "open_binary" }, detectTarget, {
      signal: new AbortController().signal,
      progress,
    });
    await expect(opening).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "target_changed" } });
  });

  test("a file that holds more than it says is refused", async (test) => {
    if (process.platform !== "linux") return test.skip("only Linux has /proc");
    await expect(resolve("/proc/self/maps")).rejects.toMatchObject({ details: { reason: "target_changed" } });
  });

  test.each([
    ["notes.txt", "hello", { kind: "artifact", format: "file" }],
    ["main.js", "1", { kind: "artifact", format: "javascript" }],
    ["a.apk", "PK\x05\x06" + "\0".repeat(18), { kind: "archive", format: "apk" }],
    ["empty", "", { kind: "artifact", format: "file" }],
    ["cut", "\x7fELF\x02\x01\x01", { kind: "artifact", format: "file" }],
  ])("%s opens as what its content is", async (name, content, expected) => {
    const { target } = await resolve(writeTemporary(name, Buffer.from(content, "latin1")));
    expect(target).toMatchObject({ ...expected, architecture: null, role: null, managed: false });
    if (name === "cut") expect(target.note).not.toBeNull();
  });

  test("a directory has no digest until it is inspected", async () => {
    const path = directory();
    expect((await resolve(path)).target).toMatchObject({ path, kind: "directory", format: "directory", sha256: null });
    const service = runtimeWith();
    expect(await result(service, "open_binary", { path })).toMatchObject({ kind: "directory", sha256: null, binding: null });
  });

  test("raw code takes base and byte order from the caller, and a file with a header refuses them", async () => {
    const service = runtimeWith({ detect: detectTarget });
    const path = writeTemporary("blob.bin", Buffer.from([0x90, 0xc3]));
    const input = { path, raw_architecture: "x86_64", raw_base: "0x00401000" };
    expect(await result(service, "open_binary", input)).toMatchObject({ kind: "executable", architecture: "x86_64" });
    expect((await failure(service, "open_binary", { path, raw_architecture: "z80" })).code).toBe("invalid_request");
    expect((await failure(service, "open_binary", { path, raw_base: "0x0" })).details.issues[0].path).toBe("raw_architecture");
    const headed = { path: process.execPath, raw_architecture: "x86_64" };
    expect((await failure(service, "open_binary", headed)).details.issues[0].path).toBe("raw_architecture");
    expect((await failure(service, "open_binary", { path: process.execPath, architecture: "mips" })).details.issues[0].path).toBe(
      "architecture",
    );
  });

  test("other raw values of the same file are another target", async () => {
    const service = runtimeWith({ detect: detectTarget });
    const path = writeTemporary("blob.bin", Buffer.from([0x90, 0xc3]));
    const run = async (input: object) => {
      await result(service, "open_binary", { path, raw_architecture: "x86_64", ...input });
      return (await result(service, "binary_session")).analysis_run.run_id;
    };
    const first = await run({});
    expect(await run({ raw_base: "0x0" })).toBe(first);
    expect(await run({ raw_base: "0x1000" })).not.toBe(first);
  });
});

describe("application bundles", () => {
  function bundle(plist: string | undefined, executable = "Main"): string {
    const root = join(directory(), "Thing.app");
    mkdirSync(join(root, "Contents", "MacOS"), { recursive: true });
    if (plist !== undefined) writeFileSync(join(root, "Contents", "Info.plist"), plist);
    copyFileSync(process.execPath, join(root, "Contents", "MacOS", executable));
    return root;
  }
  const plistWith = (name: string) => `<plist><dict><key>CFBundleExecutable</key><string>${name}</string></dict></plist>`;

  test("the executable that Info.plist names is the target, and the root is kept", async () => {
    const root = bundle(plistWith("Main"));
    expect((await resolve(root)).target).toMatchObject({
      path: join(root, "Contents", "MacOS", "Main"),
      name: "Main",
      kind: "executable",
      bundle_root: root,
    });
  });

  test.each(["../../../../etc/passwd", "/etc/passwd", "a/Main", "..", "", "None"])(
    "CFBundleExecutable %j opens the directory with a note",
    async (name) => {
      const { target } = await resolve(bundle(plistWith(name)));
      expect(target).toMatchObject({ kind: "directory", bundle_root: null });
      expect(target.note).not.toBeNull();
    },
  );

  test("a link out of Contents/MacOS and a missing Info.plist open the directory with a note", async () => {
    const linked = bundle(plistWith("Link"));
    symlinkSync("/usr/bin/env", join(linked, "Contents", "MacOS", "Link"));
    for (const root of [linked, bundle(undefined)]) {
      expect((await resolve(root)).target).toMatchObject({ kind: "directory" });
    }
  });
});

test("Evidence by path and of the open target has one id", async () => {
  const service = runtimeWith({ auxiliary: undefined, detect: detectTarget });
  const copy = join(directory(), "elsewhere");
  copyFileSync("/usr/bin/env", copy);
  const byPath = await call(service, "list_architectures", { path: copy });
  await result(service, "open_binary", { path: "/usr/bin/env" });
  const opened = await call(service, "list_architectures");
  const id = (reply: typeof opened) => (reply.ok && "evidence_id" in reply.value ? reply.value.evidence_id : JSON.stringify(reply));
  expect(id(byPath)).toMatch(/^ev_/);
  expect(id(opened)).toBe(id(byPath));
  await service.close();
});

test("a file-parser call without path and without target is no_target, and a changed target is refused", async () => {
  const service = runtimeWith({ auxiliary: undefined, detect: detectTarget });
  expect((await failure(service, "list_architectures")).details.reason).toBe("no_target");
  const copy = join(directory(), "program");
  copyFileSync("/usr/bin/env", copy);
  await result(service, "open_binary", { path: copy });
  writeFileSync(copy, "other");
  expect((await failure(service, "list_architectures")).details.reason).toBe("target_changed");
  await service.close();
});
