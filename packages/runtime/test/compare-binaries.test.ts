import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, directory, embeddedRuntime, failure, result, writeTemporary } from "./support.js";

const hasGcc = spawnSync("gcc", ["--version"]).status === 0;
const why = "skipped: no gcc on this host";

const source = (limit: number, greeting: string): string => `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int table[64];
__attribute__((noinline)) static int scaled(int value) { int sum = 0; for (int i = 0; i < 64; i++) sum += table[i] * value + (sum >> 3); return sum; }
__attribute__((noinline)) static void fill(int start) { for (int i = 0; i < 64; i++) table[i] = start * i ^ (start + i); }
__attribute__((noinline)) static int checked(const char *text) { size_t n = strlen(text); if (n > ${String(limit)}) { puts("too long"); exit(2); } return (int)n; }
__attribute__((noinline)) static void greet(const char *who) { printf("${greeting}, %s\\n", who); }
int main(int argc, char **argv) { if (argc < 2) return 1; fill(checked(argv[1])); greet(argv[1]); return scaled(argc) & 1; }
`;

function compiled(name: string, text: string, ...options: string[]): string {
  const file = join(directory(), name);
  writeFileSync(`${file}.c`, text);
  execFileSync("gcc", ["-w", ...options, "-o", file, `${file}.c`]);
  return file;
}

function stripped(file: string): string {
  const copy = join(directory(), "stripped");
  copyFileSync(file, copy);
  execFileSync("strip", [copy]);
  return copy;
}

describe("compare_binaries", () => {
  test.skipIf(!hasGcc)(`names the functions that changed, and no others (${why})`, async () => {
    const [older, newer] = [compiled("app", source(100, "hello"), "-O2"), compiled("app", source(300, "good day"), "-O2")];
    const found = await result(embeddedRuntime(), "compare_binaries", { left: older, right: newer, limit: 100 });
    expect(found.status).toBe("changed");
    const changed = new Map(found.changed.items.map(({ right, parts }: { right: { name: string }; parts: string[] }) => [right.name, parts]));
    expect([...changed.keys()].sort()).toEqual(["checked", "greet"]);
    expect(changed.get("checked")).toContain("constants");
    expect(changed.get("greet")).toContain("strings");
    expect(found.strings.added.items).toContain("good day, %s\n".replace("\n", String.raw`\u{a}`));
  });

  test.skipIf(!hasGcc)(`finds the same functions without names, as symbols tell (${why})`, async () => {
    const file = compiled("app", source(100, "hello"), "-O2");
    const found = await result(embeddedRuntime(), "compare_binaries", { left: file, right: stripped(file), limit: 100 });
    expect(found.summary.functions).toMatchObject({ changed: 0, added: 0, removed: 0 });
    for (const { left, right, status } of found.matches.items) expect([right.address, status]).toEqual([left.address, "unchanged"]);
  });

  test.skipIf(!hasGcc)(`a file is unchanged against itself, and the open target stays open (${why})`, async () => {
    const runtime = embeddedRuntime();
    const file = compiled("app", source(100, "hello"), "-O1");
    await result(runtime, "open_binary", { path: "/bin/ls" });
    const shown = ({ open, path, sha256, analysis_provider_binding: binding }: Record<string, unknown>) => ({ open, path, sha256, binding });
    const before = shown(await result(runtime, "binary_session"));
    expect(before.open).toBe(true);
    const found = await result(runtime, "compare_binaries", { left: file, right: file });
    expect(found.summary.functions).toMatchObject({ changed: 0, added: 0, removed: 0 });
    expect(found.status).not.toBe("changed");
    expect(shown(await result(runtime, "binary_session"))).toEqual(before);
  });

  test("what the engine does not analyse is refused with the reason, and a missing file is called missing", async () => {
    const text = writeTemporary("notes.txt", "no program");
    expect(await failure(embeddedRuntime(), "compare_binaries", { left: text, right: text })).toMatchObject({ code: "capability_unavailable" });
    expect(await failure(embeddedRuntime(), "compare_binaries", { left: "/nowhere/at/all", right: text })).toMatchObject({ code: "target_unavailable" });
  });

  test("a cancelled comparison leaves no record", async () => {
    const runtime = embeddedRuntime();
    const abort = new AbortController();
    const pending = call(runtime, "compare_binaries", { left: "/bin/ls", right: "/bin/cat" }, abort.signal);
    setTimeout(() => abort.abort(), 50);
    expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect((await result(runtime, "binary_session")).evidence.records).toBe(0);
  });
});
