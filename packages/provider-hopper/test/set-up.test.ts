import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAnalysisProfile } from "@rea/core";
import type { AnalysisProvider, Target } from "@rea/provider";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHopperProvider, type HopperProviderOptions } from "../src/index.js";
import { newLauncher, temporaryDirectory } from "./stand-in.js";

const xvfb = executable("Xvfb");

function executable(name: string, mode = 0o755): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, "#!/bin/sh\nexit 0\n");
  chmodSync(path, mode);
  return path;
}

/** A provider on a host that has what the test says and nothing else; nothing may be started. */
function provider(env: Readonly<Record<string, string>>, more: Partial<HopperProviderOptions> = {}): AnalysisProvider {
  const launcher = { start: () => Promise.reject(new Error("nothing may be started")), close: () => Promise.resolve({ remaining: [] }) };
  const host = { displayPrograms: [xvfb], usualPlaces: [], ...more.host };
  return createHopperProvider({ launcher, platform: "linux", ...more, env, host });
}

function target(more: Partial<Target> = {}): Target {
  return {
    path: "/programs/one", name: "target", sha256: "0".repeat(64), bytes: 1, kind: "executable", format: "elf", architecture: "x86_64",
    available_architectures: ["x86_64"], role: null, managed: false, raw: null, note: null, bundle_root: null, ...more,
  };
}

const parametersOf = async (given: AnalysisProvider, of = target()) =>
  parseAnalysisProfile(await given.resolveAnalysisProfile(of, { signal: new AbortController().signal })).parameters;

describe("whether Hopper is there", () => {
  const launcher = executable("Hopper");

  test("is found by looking only, at the setting first and then where the installer puts it", () => {
    const there = { status: "available", diagnostics: { launcher } };
    expect(provider({ HOPPER_LAUNCHER_PATH: launcher }).inspectAvailability()).toEqual(there);
    expect(provider({}, { host: { usualPlaces: ["/no/such/Hopper", launcher] } }).inspectAvailability()).toEqual(there);
    const link = join(temporaryDirectory(), "link");
    symlinkSync(launcher, link);
    expect(provider({ HOPPER_LAUNCHER_PATH: link }).inspectAvailability()).toEqual({ status: "available", diagnostics: { launcher: link } });
  });

  test.each<[string, Readonly<Record<string, string>>, string, Partial<HopperProviderOptions>?]>([
    ["nothing is set and nothing installed", {}, "not_configured"],
    ["the setting is empty", { HOPPER_LAUNCHER_PATH: "" }, "not_configured"],
    ["the path is relative", { HOPPER_LAUNCHER_PATH: "./Hopper" }, "not_configured"],
    ["the path does not exist", { HOPPER_LAUNCHER_PATH: "/no/such/Hopper" }, "executable_missing"],
    ["the path holds a NUL", { HOPPER_LAUNCHER_PATH: `${launcher}\0x` }, "not_configured"],
    ["the launcher is a directory", { HOPPER_LAUNCHER_PATH: temporaryDirectory() }, "executable_missing"],
    ["the launcher may not be run", { HOPPER_LAUNCHER_PATH: executable("plain", 0o644) }, "executable_missing"],
    ["there is no Xvfb", { HOPPER_LAUNCHER_PATH: launcher }, "runtime_missing", { host: { displayPrograms: ["/no/such/Xvfb"] } }],
    ["the host is Windows", { HOPPER_LAUNCHER_PATH: launcher }, "unsupported_host", { platform: "win32" }],
    ["the loader arguments are no JSON", { HOPPER_LAUNCHER_PATH: launcher, HOPPER_LOADER_ARGS_JSON: "-l ELF" }, "open_options_invalid"],
    ["the loader arguments are no list of texts", { HOPPER_LAUNCHER_PATH: launcher, HOPPER_LOADER_ARGS_JSON: '["-l", 1]' }, "open_options_invalid"],
    ["the deadline is out of range", { HOPPER_LAUNCHER_PATH: launcher, REA_HOPPER_STARTUP_TIMEOUT_MS: "2147483648" }, "open_options_invalid"],
    ["the deadline is no number", { HOPPER_LAUNCHER_PATH: launcher, REA_HOPPER_STARTUP_TIMEOUT_MS: "5s" }, "open_options_invalid"],
  ])("is answered with a code and a next step when %s", (_what, env, code, more = {}) => {
    const found = provider(env, more).inspectAvailability();
    expect(found).toMatchObject({ status: "unavailable", code });
    expect(found.status === "unavailable" && found.reason).toMatch(/\. [A-Z].*\.$/);
    // Neither a value of a setting nor a path of the user is in the words.
    for (const value of Object.values(env).filter((each) => each.length > 3)) expect(JSON.stringify(found)).not.toContain(value);
  });

  test("does not need a display program on macOS", () => {
    expect(provider({ HOPPER_LAUNCHER_PATH: launcher }, { platform: "darwin", host: { displayPrograms: [] } }).inspectAvailability().status).toBe("available");
  });

  test("never throws, whatever is set", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (path, args, deadline) => {
        const env = { HOPPER_LAUNCHER_PATH: path, HOPPER_LOADER_ARGS_JSON: args, REA_HOPPER_STARTUP_TIMEOUT_MS: deadline };
        expect(["available", "unavailable"]).toContain(provider(env).inspectAvailability().status);
      }),
    );
  });
});

describe("what Hopper can open", () => {
  test.each<[string, Partial<Target>, string]>([
    ["an executable for x86-64", {}, "supported"],
    ["a slice of a universal file", { format: "mach-o-universal", architecture: "arm64" }, "supported"],
    ["a program of Windows", { format: "pe", architecture: "x86", role: "application" }, "supported"],
    ["a database of Hopper", { kind: "database", format: "hopper", architecture: null }, "supported"],
    ["another database", { kind: "database", format: "analysis-database", architecture: null }, "target_kind_unsupported"],
    ["an archive", { kind: "archive", format: "zip" }, "target_kind_unsupported"],
    ["raw code", { format: "raw", raw: { architecture: "x86", base: "0x0", endian: "little" } }, "target_format_unsupported"],
    ["another architecture", { architecture: "riscv64" }, "architecture_unsupported"],
    ["an architecture that is not known", { architecture: null }, "architecture_unsupported"],
    ["managed code", { format: "pe", managed: true }, "managed_target_unsupported"],
    ["a file without code", { format: "pe", role: "non-executable" }, "target_role_unsupported"],
  ])("%s", (_what, more, expected) => {
    const found = provider({}).inspectTargetSupport(target(more));
    expect(found.status === "supported" ? "supported" : found.code).toBe(expected);
  });
});

describe("the profile", () => {
  const launcher = executable("Hopper");

  test("names the launcher by its bytes, and every default", async () => {
    const profile = await provider({ HOPPER_LAUNCHER_PATH: launcher }).resolveAnalysisProfile(target(), { signal: new AbortController().signal });
    expect(profile.provider).toMatchObject({ id: "hopper", version: expect.stringMatching(/^launcher-sha256:[0-9a-f]{64}$/) });
    expect(profile.parameters).toMatchObject({ slice: "x86_64", loader_arguments: ["-l", "ELF"], loader_arguments_source: "target" });
    expect(JSON.stringify(profile)).not.toContain(launcher);
  });

  test.each<[Partial<Target>, readonly string[]]>([
    [{}, ["-l", "ELF"]],
    [{ format: "pe", architecture: "x86" }, ["-l", "WinPE"]],
    [{ format: "mach-o", architecture: "x86" }, ["-l", "Mach-O", "--intel-32"]],
    [{ format: "mach-o", architecture: "x86_64" }, ["-l", "Mach-O", "--intel-64"]],
    [{ format: "mach-o", architecture: "arm" }, ["-l", "Mach-O", "--armv7"]],
    [{ format: "mach-o-universal", architecture: "arm64", available_architectures: ["x86_64", "arm64"] }, ["-l", "FAT", "--aarch64", "-l", "Mach-O"]],
    [{ kind: "database", format: "hopper", architecture: null }, []],
  ])("tells the loader what %j is", async (more, expected) => {
    expect((await parametersOf(provider({ HOPPER_LAUNCHER_PATH: launcher }), target(more)))["loader_arguments"]).toEqual(expected);
  });

  test("holds the user's own loader arguments as a count and a digest only", async () => {
    const own = '["--no-such", "/home/somebody/plugin"]';
    const parameters = await parametersOf(provider({ HOPPER_LAUNCHER_PATH: launcher, HOPPER_LOADER_ARGS_JSON: own }));
    expect(parameters).toMatchObject({ loader_arguments: null, loader_arguments_source: "environment", loader_arguments_count: 2 });
    expect(parameters["loader_arguments_sha256"]).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(parameters)).not.toContain("somebody");
    const database = await parametersOf(provider({ HOPPER_LAUNCHER_PATH: launcher, HOPPER_LOADER_ARGS_JSON: own }), target({ kind: "database", format: "hopper" }));
    expect(database).toMatchObject({ loader_arguments: [], loader_arguments_source: "target" });
    const other = await parametersOf(provider({ HOPPER_LAUNCHER_PATH: launcher, HOPPER_LOADER_ARGS_JSON: '["a", "b"]' }));
    expect(other["loader_arguments_sha256"]).not.toBe(parameters["loader_arguments_sha256"]);
  });

  test("cannot be resolved without a launcher", async () => {
    await expect(parametersOf(provider({}))).rejects.toMatchObject({ code: "provider_unavailable" });
    const directory = temporaryDirectory();
    mkdirSync(join(directory, "Hopper"));
    await expect(parametersOf(provider({ HOPPER_LAUNCHER_PATH: join(directory, "Hopper") }))).rejects.toMatchObject({ code: "provider_unavailable" });
  });

  test("a client costs nothing until it is asked, and asked after its close it refuses", async () => {
    const given = provider({ HOPPER_LAUNCHER_PATH: launcher }, { launcher: newLauncher() });
    const profile = await given.resolveAnalysisProfile(target(), { signal: new AbortController().signal });
    const client = await given.createClient(target(), profile, { runId: "r" });
    expect(client.activity()).toEqual({ active: null, queued_requests: 0 });
    expect(client.runtimeLineage()).toBeNull();
    expect(await client.close()).toEqual({ remaining: [] });
  });
});
