import type { Target } from "@rea/provider";
import { describe, expect, test } from "vitest";
import { createNativeProvider } from "../src/native-provider.js";

const provider = createNativeProvider({ stateDirectory: "/nonexistent", clientName: "test", clientVersion: "1" });
const elf: Target = {
  path: "/nonexistent",
  name: "x",
  sha256: "0".repeat(64),
  bytes: 1,
  kind: "executable",
  format: "elf",
  architecture: "x86_64",
  available_architectures: ["x86_64"],
  role: null,
  managed: false,
  raw: null,
  note: null,
  bundle_root: null,
};
const raw = { architecture: "arm64", base: "0x1000", endian: "little" } as const;

describe("targets", () => {
  test.each<[string, Partial<Target>]>([
    ["ELF", {}],
    ["a slice of a universal file", { format: "mach-o-universal", architecture: "arm64" }],
    ["32-bit PE", { format: "pe", architecture: "x86", role: "application" }],
    ["raw code", { format: "file", architecture: null, raw }],
    ["big-endian raw code", { format: "file", architecture: null, raw: { ...raw, architecture: "mips", endian: "big" } }],
  ])("%s is supported", (_name, more) => {
    expect(provider.inspectTargetSupport({ ...elf, ...more })).toMatchObject({ status: "supported" });
  });

  test.each<[string, Partial<Target>, string]>([
    ["an archive", { kind: "archive", format: "zip" }, "target_kind_unsupported"],
    ["an executable of another kind", { format: "wasm" }, "target_format_unsupported"],
    ["managed code", { format: "pe", managed: true }, "managed_target_unsupported"],
    ["a file of resources only", { format: "pe", role: "non-executable" }, "target_role_unsupported"],
    ["another architecture", { architecture: "s390x" }, "architecture_unsupported"],
    ["an unknown architecture", { architecture: null }, "architecture_unsupported"],
    ["big-endian code", { raw: { ...raw, endian: "big" } }, "architecture_unsupported"],
    ["raw code of another architecture", { raw: { ...raw, architecture: "sparc" } }, "architecture_unsupported"],
  ])("%s is refused with its code", (_name, more, code) => {
    expect(provider.inspectTargetSupport({ ...elf, ...more })).toMatchObject({ status: "unsupported", code });
  });
});

describe("the profile", () => {
  const profileOf = async (more: Partial<Target>) =>
    (await provider.resolveAnalysisProfile({ ...elf, ...more }, { signal: new AbortController().signal })).digest;

  test("depends on slice and raw mapping, not on where the file lies", async () => {
    const digest = await profileOf({});
    expect(await profileOf({ path: "/elsewhere", name: "y" })).toBe(digest);
    expect(await profileOf({ architecture: "arm64" })).not.toBe(digest);
    expect(await profileOf({ raw })).not.toBe(await profileOf({ raw: { ...raw, base: "0x2000" } }));
  });
});
