import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReaError } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decompileAll, type DecompileHost } from "../src/commands/decompile-all.js";
import { runCli } from "./run-cli.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rea-decompile-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Item = Awaited<ReturnType<DecompileHost["texts"]["page"]>>["items"][number];

function procedure(number: number): Item {
  return {
    address: `0x${(0x401000 + 16 * number).toString(16)}`,
    value: `../f${String(number)}`,
    value_truncated: false,
    procedure: { size: 16, sources: ["symbol"], name_source: "symbol", external: number === 3, thunk: false, thunk_target: null },
  };
}

/** A program of so many functions; the second fails, the third has no code, the fourth is elsewhere. */
function host(count: number): DecompileHost & { readonly said: string[] } {
  const said: string[] = [];
  const items = Array.from({ length: count }, (_, index) => procedure(index));
  return {
    said,
    say: (text) => said.push(text),
    texts: {
      progress: () => undefined,
      page: (offset, limit) => Promise.resolve({ items: items.slice(offset, offset + limit), coverage: { state: "complete", omissions: [] }, offset, limit, total: count, next_offset: null, has_more: offset + limit < count }),
      one: (address) => {
        if (address === "0x401010") return Promise.resolve({ ok: false, error: new ReaError("target_unavailable", { message: "It went wrong.", details: { reason: "target_not_found" } }).toObject() });
        return Promise.resolve({ ok: true, text: address === "0x401020" ? "/* Not written as C: it is too large. */" : `void f(void) { /* ${address} */ }` });
      },
    },
  };
}

describe("all functions of a program", () => {
  test("one that fails stops no other, and is told with its address", async () => {
    const made = host(6);
    const directory = join(folder, "some");
    expect(await decompileAll(made, directory, { subject: "one" })).toBe(1);
    expect(made.said.join("")).toBe("3 functions written, 1 files say why there is no code, 0 have their body in another file, 1 failed.\n0x401010: It went wrong.\n");
    expect(readdirSync(directory).sort()).toEqual(["0x401000_.._f0.c", "0x401020_.._f2.c", "0x401040_.._f4.c", "0x401050_.._f5.c", "functions.tsv", "not-written.txt", "rea.h"]);
    expect(readFileSync(join(directory, "not-written.txt"), "utf8")).toBe("0x401010: It went wrong.\n");
  });

  test("very many are put into folders by address", async () => {
    const made = host(1100);
    const directory = join(folder, "many");
    await decompileAll(made, directory, { subject: "one", inOneFolder: 1000 });
    expect(readdirSync(directory).sort()).toEqual(["0x40", "functions.tsv", "not-written.txt", "rea.h"]);
    expect(made.said[0]).toContain("1097 functions written");
  });
});

describe("a run that was ended before", () => {
  /** As the host of so many functions, ended as a process is when it comes to the one with that address. */
  function endedAt(count: number, last: string): { readonly host: DecompileHost & { readonly said: string[] }; readonly asked: string[] } {
    const made = host(count);
    const asked: string[] = [];
    const one: DecompileHost["texts"]["one"] = (address) => {
      asked.push(address);
      return address === last ? Promise.reject(new Error("The process is gone.")) : made.texts.one(address);
    };
    return { host: { ...made, texts: { ...made.texts, one } }, asked };
  }

  test("is gone on with: what is complete is not made again, what failed is tried again, what stood half is gone", async () => {
    const directory = join(folder, "resumed");
    const first = endedAt(8, "0x401050");
    await expect(decompileAll(first.host, directory, { subject: "one" })).rejects.toThrow("gone");
    const journal = join(directory, "functions.tsv");
    writeFileSync(journal, `${readFileSync(journal, "utf8")}0x401050\twrit`);
    writeFileSync(join(directory, ".part-4194305"), "void f(");
    rmSync(join(directory, "0x401000_.._f0.c"));
    const second = endedAt(8, "none");
    expect(await decompileAll(second.host, directory, { subject: "one" })).toBe(1);
    expect(second.asked).toEqual(["0x401000", "0x401010", "0x401050", "0x401060", "0x401070"]);
    expect(second.host.said[0]).toBe("5 functions written, 1 files say why there is no code, 0 have their body in another file, 1 failed. 2 of them were there from an earlier run.\n");
    expect(readdirSync(directory).sort()).toEqual([0, 2, 4, 5, 6, 7].map((number) => `0x4010${String(number)}0_.._f${String(number)}.c`).concat("functions.tsv", "not-written.txt", "rea.h"));
  });

  test("of another file, or by another build, is begun anew", async () => {
    const directory = join(folder, "anew");
    await decompileAll(host(4), directory, { subject: "one" });
    const again = endedAt(4, "none");
    await decompileAll(again.host, directory, { subject: "two" });
    expect(again.asked).toHaveLength(3);
    expect(readFileSync(join(directory, "functions.tsv"), "utf8").split("\n")[0]).toBe("# two");
  });
});

test("a program is written twice with the same bytes, and what is written compiles", async (context) => {
  const source = join(folder, "small.c");
  const program = join(folder, "small");
  writeFileSync(source, "#include <stdlib.h>\nint twice(int x) { return 2 * x; }\nint main(int argc, char **argv) { return argc > 1 ? twice(atoi(argv[1])) : 3; }\n");
  if (spawnSync("gcc", ["-O1", "-g", source, "-o", program]).status !== 0) return context.skip("gcc is not installed");
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  for (const directory of [first, second]) expect((await runCli(["decompile", program, "--all", "-o", directory])).status).toBe(0);
  const names = readdirSync(first).sort();
  expect(readdirSync(second).sort()).toEqual(names);
  for (const name of names) expect(readFileSync(join(second, name), "utf8")).toBe(readFileSync(join(first, name), "utf8"));
  const own = names.filter((name) => /_(?:main|twice)\.c$/.test(name));
  expect(own).toHaveLength(2);
  for (const name of own) expect(spawnSync("gcc", ["-w", "-std=gnu11", "-I", first, "-c", join(first, name), "-o", join(folder, "again.o")]).status).toBe(0);
  expect(readFileSync(join(first, own[1] ?? ""), "utf8") + readFileSync(join(first, own[0] ?? ""), "utf8")).toContain("int32_t twice(int32_t x)");
});
