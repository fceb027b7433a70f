import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { binaryFacets, memorySource, mitigationNames, operations, ReaError } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { inspectBinary, listArchitectures, openFileSource, openImage, type FileSource } from "../src/index.js";
import { hasProgram, output } from "./llvm-tools.js";

/** This very program: a real executable on every host. */
const self = process.execPath;
let directory = "";
let source: FileSource;

beforeAll(() => {
  source = openFileSource(self);
  directory = mkdtempSync(path.join(tmpdir(), "rea-inspect-"));
});

afterAll(() => {
  source.close();
  rmSync(directory, { recursive: true, force: true });
});

function inspectSelf(params: Parameters<typeof inspectBinary>[1]) {
  return inspectBinary(source, params);
}

describe("inspectBinary", () => {
  test("keeps to the operation's schema with every facet of a real program", () => {
    const result = inspectSelf({});
    const parsed = operations.inspect_binary.result.safeParse(result);
    expect(parsed.error).toBeUndefined();
    expect(Object.keys(result)).toEqual(expect.arrayContaining([...binaryFacets]));
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(512 * 1024);
    expect(result.container_hints?.items.map(({ kind }) => kind)).toContain("node");
  });

  test("gives the facets asked for and no others", () => {
    const result = inspectSelf({ facets: ["header", "libraries"] });
    expect(Object.keys(result).sort()).toEqual(["architecture", "available_architectures", "format", "header", "libraries", "limitations"]);
  });

  test("pages of symbols, imports and exports join to the whole lists", () => {
    const facets = ["symbols", "imports", "exports"] as const;
    const first = inspectSelf({ facets, symbol_limit: 500 });
    const total = first.imports?.total ?? 0;
    const joined = [];
    for (let offset = 0; offset < total; offset += 211) {
      joined.push(...(inspectSelf({ facets: ["imports"], symbol_offset: offset, symbol_limit: 211 }).imports?.items ?? []));
    }
    const names = openImage(source).imports().items.map(({ name }) => name ?? null);
    expect(joined.map(({ name }) => name)).toEqual(names);
    expect(first.symbols).toMatchObject({ offset: 0, limit: 500, has_more: true, next_offset: 500 });
  });

  test("digests are those of the file ranges", () => {
    const bytes = readFileSync(self);
    const { sections } = inspectSelf({ facets: ["sections"] });
    const backed = (sections?.items ?? []).filter(({ size, file_offset: at }) => size !== null && size > 0 && at !== null).slice(0, 8);
    expect(backed.length).toBeGreaterThan(0);
    for (const { file_offset: at, size, sha256 } of backed) {
      const part = bytes.subarray(at ?? 0, (at ?? 0) + (size ?? 0));
      expect(sha256).toBe(createHash("sha256").update(part).digest("hex"));
    }
  });

  test("every mitigation of the contract has a state and a basis", () => {
    const { mitigations } = inspectSelf({ facets: ["mitigations"] });
    expect(mitigations?.items.map(({ name }) => name)).toEqual([...mitigationNames]);
    expect(mitigations?.items.every(({ basis }) => basis.length > 0)).toBe(true);
  });

  test("the same bytes give the same result", () => {
    const facets = ["header", "imports", "container_hints", "libraries", "overlay"] as const;
    expect(JSON.stringify(inspectSelf({ facets }))).toBe(JSON.stringify(inspectSelf({ facets })));
  });

  test("an architecture the file does not have is an invalid request that lists the ones it has", () => {
    const architecture = openImage(source).architecture ?? "";
    try {
      inspectSelf({ architecture: "mips" });
      expect.unreachable("the call fails");
    } catch (error) {
      expect(error).toBeInstanceOf(ReaError);
      expect(error).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "architecture", valid_keys: [architecture] }] } });
    }
  });
});

describe("listArchitectures", () => {
  test("gives the one architecture of a thin file", () => {
    const result = listArchitectures(source);
    expect(operations.list_architectures.result.safeParse(result).success).toBe(true);
    expect(result).toMatchObject({ universal: false, architectures: [{ offset: 0, size: source.size, alignment: null }] });
  });
});

describe("hardening and build identity", () => {
  const program = "int puts(const char *); int main(void) { char b[64]; puts(b); return 0; }\n";

  function compiled(name: string, options: readonly string[]) {
    writeFileSync(path.join(directory, "m.c"), program);
    output("gcc", ["m.c", "-o", name, ...options], directory);
    return inspectBinary(memorySource(readFileSync(path.join(directory, name))), { facets: ["mitigations", "build_ids", "header"] });
  }

  function states(result: ReturnType<typeof inspectBinary>) {
    return Object.fromEntries((result.mitigations?.items ?? []).map(({ name, state }) => [name, state]));
  }

  test("compiler and linker options show as states", (context) => {
    if (!hasProgram("gcc")) return context.skip("gcc is not installed");
    const hard = compiled("hard", ["-fstack-protector-all", "-pie", "-fPIE", "-Wl,-z,relro,-z,now", "-Wl,-z,noexecstack"]);
    expect(states(hard)).toMatchObject({ pie: "enabled", nx: "enabled", relro: "full", canary: "enabled", stripped: "disabled", dep: "not_applicable" });
    const soft = compiled("soft", ["-fno-stack-protector", "-no-pie", "-Wl,-z,norelro", "-Wl,-z,execstack", "-s"]);
    expect(states(soft)).toMatchObject({ pie: "disabled", nx: "disabled", relro: "none", canary: "disabled", stripped: "enabled" });
    const lazy = compiled("lazy", ["-fno-stack-protector", "-Wl,-z,relro,-z,lazy"]);
    expect(states(lazy)).toMatchObject({ relro: "partial" });
  });

  test("the build id and the compiler are those that were linked in", (context) => {
    if (!hasProgram("gcc")) return context.skip("gcc is not installed");
    const { build_ids: ids } = compiled("named", ["-Wl,--build-id=0x0123456789abcdef"]);
    expect(ids?.items).toContainEqual(expect.objectContaining({ kind: "gnu-build-id", value: "0123456789abcdef" }));
    const version = output("gcc", ["-dumpfullversion"]).trim();
    expect(ids?.toolchain).toMatchObject({ name: "GCC", version });
  });

  test("a Go program names its toolchain and module", (context) => {
    if (!hasGo()) return context.skip("go is not installed");
    const work = path.join(directory, "go.mod");
    writeFileSync(work, "module example.org/sample\n\ngo 1.18\n");
    writeFileSync(path.join(directory, "main.go"), "package main\n\nfunc main() { println(1) }\n");
    output("go", ["build", "-o", "gosample", "main.go"], directory);
    const result = inspectBinary(memorySource(readFileSync(path.join(directory, "gosample"))), { facets: ["build_ids"] });
    const version = /go(\S+)/.exec(output("go", ["version"]).replace("go version", ""))?.[1];
    expect(result.build_ids?.toolchain).toMatchObject({ name: "Go", version, language: "Go" });
    expect(result.build_ids?.items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["go-build-id", "go-version"]));
  });

  test("a Rust program is told by its compiler comment", (context) => {
    if (!hasProgram("rustc")) return context.skip("rustc is not installed");
    writeFileSync(path.join(directory, "r.rs"), "fn main() { println!(\"hi\"); }\n");
    output("rustc", ["r.rs", "-o", "rsample"], directory);
    const result = inspectBinary(memorySource(readFileSync(path.join(directory, "rsample"))), { facets: ["build_ids"] });
    expect(result.build_ids?.toolchain).toMatchObject({ name: "rustc", language: "Rust" });
  });
});

function hasGo(): boolean {
  return (process.env["PATH"] ?? "").split(path.delimiter).some((folder) => existsSync(path.join(folder, "go")));
}
