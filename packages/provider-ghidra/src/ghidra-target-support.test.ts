import type { Target } from "@rea/provider";
import { describe, expect, test } from "vitest";
import { ghidraTargetSupport } from "./ghidra-target-support.js";

const elf: Target = {
  path: "/bin/program",
  name: "program",
  sha256: "0".repeat(64),
  bytes: 1,
  kind: "executable",
  format: "elf",
  architecture: "mips",
  available_architectures: [],
  role: null,
  managed: false,
  raw: null,
  note: null,
  bundle_root: null,
};
const raw = { architecture: "x86_64", base: "0x0", endian: "little" as const };

describe("what Ghidra is given", () => {
  test.each<[string, NodeJS.Platform, Partial<Target>]>([
    ["an ELF executable of any architecture", "linux", {}],
    ["a Mach-O executable", "darwin", { format: "mach-o" }],
    ["a PE executable", "linux", { format: "pe", role: "driver" }],
    ["a PE executable on Windows", "win32", { format: "pe" }],
  ])("%s", (_what, platform, more) => {
    expect(ghidraTargetSupport({ ...elf, ...more }, { env: {}, platform })).toMatchObject({ status: "supported" });
  });

  test.each<[string, NodeJS.Platform, Partial<Target>, string]>([
    ["a directory", "linux", { kind: "directory", format: "directory" }, "target_kind_unsupported"],
    ["a database of Hopper", "linux", { kind: "database", format: "hop" }, "target_kind_unsupported"],
    ["an archive", "linux", { kind: "archive", format: "zip" }, "target_kind_unsupported"],
    ["raw code", "linux", { format: "unknown", raw }, "target_format_unsupported"],
    ["a universal file", "darwin", { format: "mach-o-universal" }, "target_format_unsupported"],
    ["another format", "linux", { format: "wasm" }, "target_format_unsupported"],
    ["ELF on Windows", "win32", {}, "target_format_unsupported"],
    ["managed code on Windows", "win32", { format: "pe", managed: true }, "managed_target_unsupported"],
    ["a PE file without code", "linux", { format: "pe", role: "non-executable" }, "target_role_unsupported"],
  ])("not %s", (_what, platform, more, code) => {
    expect(ghidraTargetSupport({ ...elf, ...more }, { env: {}, platform })).toMatchObject({ status: "unsupported", code });
  });
});
