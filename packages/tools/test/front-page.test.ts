import { operations, type OperationResult } from "@rea/core";
import { describe, expect, it } from "vitest";
import { frontPage, type Overview } from "../src/index.js";
import { importGroupOf } from "../src/front-page/telling-imports.js";

type Inspection = OperationResult<"inspect_binary">;
const complete = { state: "complete" as const, omissions: [] };
const list = <T>(...items: T[]) => ({ items, coverage: complete });
const page = <T>(...items: T[]) => ({
  ...list(...items),
  offset: 0,
  limit: 100,
  total: items.length,
  next_offset: null,
  has_more: false,
});

const imported = (name: string) => ({
  name,
  library: "libc.so.6",
  ordinal: null,
  version: null,
  address: null,
  binding: "global",
  type: "function",
  delayed: false,
  file_offset: null,
  size: null,
});

const section = (name: string, entropy_millibits: number | null, size = 8192) => ({
  name,
  address: "0x1000",
  file_offset: 0,
  size,
  virtual_size: size,
  flags: [],
  entropy_millibits,
  sha256: null,
});

const header: NonNullable<Inspection["header"]> = {
  format: "elf",
  class_bits: 64,
  endianness: "little",
  machine: "EM_X86_64",
  type: "ET_DYN",
  entry: "0x1040",
  image_base: "0x0",
  flags: [],
  interpreter: "/lib64/ld-linux-x86-64.so.2",
  subsystem: null,
  timestamp: null,
  file_offset: 0,
  size: 64,
  coverage: complete,
};

const inspection: Inspection = {
  format: "elf",
  architecture: "x86_64",
  available_architectures: ["x86_64"],
  header,
  sections: list(section(".text", 6100), section(".packed", 7900), section(".tiny", 7900, 100)),
  imports: page(imported("unlink"), imported("connect"), imported("puts"), imported("socket")),
  libraries: {
    needed: [{ name: "libc.so.6", kind: "needed", version: null, delayed: false }],
    run_paths: [],
    own_name: null,
    coverage: complete,
  },
  mitigations: list(
    { name: "pie" as const, state: "enabled" as const, basis: "PT_INTERP" },
    { name: "dep" as const, state: "not_applicable" as const, basis: "ELF" },
    { name: "stripped" as const, state: "enabled" as const, basis: "no .symtab" },
  ),
  build_ids: { ...list(), toolchain: { name: "GCC", version: "12.2.0", language: "C", basis: ["compiler comment"] } },
  anomalies: list({ kind: "overlap", detail: "Two sections overlap.", file_offset: 1 }),
  limitations: ["The export table was not read."],
};

const overview: Overview = {
  document: "app",
  format: "elf",
  architecture: "x86_64",
  procedure_count: 12,
  string_count: null,
  name_count: 30,
  segment_count: 4,
  segments: [],
  entry_points: [{ address: "0x1040", name: "_start", kind: "entry" }],
  detail: "detailed",
  largest_procedures: [{ address: "0x2000", name: "sub_2000", size: 5000 }],
  most_called_procedures: [{ address: "0x3000", name: "main", callers: 2 }],
  notable_strings: [{ address: "0x4000", value: "https://example.org", references: 1 }],
  notable_imports: [{ address: "0x5000", name: "execve", library: null, group: "process" }],
  code_coverage: { code_bytes: 1_234_567, examined_code_bytes: 1_234_566, examined_ppm: 999_999, unresolved_indirect_jumps: 2 },
  coverage: complete,
  limitations: [],
};

describe("the front page of an analysed executable", () => {
  const result = frontPage({ inspection, overview });

  it("uses an input that the operations themselves accept", () => {
    expect(operations.inspect_binary.result.safeParse(inspection).success).toBe(true);
  });

  it("says in one sentence what it is", () => {
    expect(result.sentence).toBe(
      "A 64-bit little-endian ELF position-independent executable for x86_64, probably built with GCC 12.2.0 (C), dynamically linked, stripped.",
    );
  });

  it("groups telling imports of both sources by what they say and drops the rest", () => {
    expect(result.imports.map(({ group, names }) => [group, names])).toEqual([
      ["network", ["connect", "socket"]],
      ["process", ["execve"]],
      ["files", ["unlink"]],
    ]);
  });

  it("remarks on bytes that look packed, when there are enough of them", () => {
    expect(result.sections.map(({ name, remark }) => [name, remark])).toEqual([
      [".text", null],
      [".packed", "compressed or encrypted bytes"],
      [".tiny", null],
    ]);
  });

  it("shows an unknown count as null, and mitigations without those that do not apply", () => {
    expect(result.counts).toContainEqual({ name: "strings", value: null });
    expect(result.counts).toContainEqual({ name: "imports", value: 4 });
    expect(result.mitigations.map(({ name }) => name)).toEqual(["pie", "stripped"]);
  });

  it("never rounds the coverage of the code up to all of it", () => {
    expect(result.code_coverage).toBe(
      "1,234,566 of 1,234,567 bytes of code examined (99.9%); 2 indirect jumps lead to unknown places.",
    );
  });

  it("suggests three commands, the main function first", () => {
    expect(result.next_commands.map(({ words }) => words.join(" "))).toEqual([
      "function PATH 0x3000",
      "find-xrefs-to-name PATH connect",
      "xrefs PATH 0x4000",
    ]);
  });

  it("keeps anomalies and limitations of both results", () => {
    expect(result.anomalies).toEqual(["Two sections overlap."]);
    expect(result.limitations).toEqual(["The export table was not read."]);
  });
});

describe("the front page without analysis", () => {
  const result = frontPage({ inspection, overview: null });

  it("says that the code was not analysed and takes the entry from the header", () => {
    expect(result.limitations[0]).toBe("The code was not analysed: no provider is bound to this target.");
    expect(result.entry_points).toEqual([{ address: "0x1040", name: null, kind: "entry" }]);
    expect(result.code_coverage).toBeNull();
  });

  it("suggests only commands that need no analysis", () => {
    expect(result.next_commands).toHaveLength(3);
    for (const { words } of result.next_commands) expect(words[0]).toMatch(/^(inspect-|list-)/);
  });
});

describe("the sentence", () => {
  const sentence = (more: Partial<Inspection>) => frontPage({ inspection: { ...inspection, ...more }, overview: null }).sentence;

  it("claims no linkage that was not read to its end", () => {
    const partial = { state: "partial" as const, omissions: [] };
    const libraries = { needed: [], run_paths: [], own_name: null, coverage: partial };
    expect(frontPage({ inspection: { ...inspection, libraries }, overview: null }).linkage.kind).toBe("unknown");
    expect(sentence({ libraries })).not.toContain("linked");
  });

  it("calls a file without libraries and loader static", () => {
    const libraries = { needed: [], run_paths: [], own_name: null, coverage: complete };
    expect(sentence({ libraries, header: { ...header, type: "ET_EXEC", interpreter: null } })).toBe(
      "A 64-bit little-endian ELF executable for x86_64, probably built with GCC 12.2.0 (C), statically linked, stripped.",
    );
  });

  it("tells a shared library from a program", () => {
    const none = { header: { ...header, interpreter: null }, mitigations: { items: [], coverage: complete } };
    expect(sentence(none)).toContain("ELF shared library");
  });

  it("stays grammatical with hardly anything known", () => {
    const bare = { format: "pe", architecture: null, available_architectures: [], limitations: [] };
    expect(frontPage({ inspection: bare, overview: null }).sentence).toBe("A PE file for an unknown architecture.");
  });
});

describe("telling imports", () => {
  it.each([
    ["connect", "network"],
    ["_connect", "network"],
    ["connect@GLIBC_2.2.5", "network"],
    ["CreateProcessW", "process"],
    ["__imp_CreateProcessA", "process"],
    ["_open$NOCANCEL", undefined],
    ["readdir$INODE64", "files"],
    ["__recv_chk", "network"],
    ["puts", undefined],
    ["", undefined],
    ["constructor", undefined],
  ])("%s says %s", (name, group) => {
    expect(importGroupOf(name)).toBe(group);
  });
});
