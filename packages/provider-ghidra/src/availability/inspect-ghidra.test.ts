import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ghidraAvailability } from "./inspect-ghidra.js";

describe("availability of Ghidra", () => {
  let root = "";
  let install = "";
  let java = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "rea-ghidra-found-"));
    install = join(root, "ghidra_12.1_PUBLIC");
    java = join(root, "jdk 21");
    for (const directory of [join(install, "support"), join(install, "Ghidra"), join(java, "bin")]) mkdirSync(directory, { recursive: true });
    program(join(install, "support", "analyzeHeadless"));
    properties("application.version=12.1.2\napplication.release.name=PUBLIC\n");
    program(join(java, "bin", "java"));
    release({});
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** A program that leaves a trace when it is run. */
  function program(path: string): void {
    writeFileSync(path, `#!/bin/sh\ntouch '${join(root, "was-run")}'\n`);
    chmodSync(path, 0o755);
  }
  function properties(text: string): void {
    writeFileSync(join(install, "Ghidra", "application.properties"), text);
  }
  function release(more: Readonly<Record<string, string | null>>): void {
    const fields = { JAVA_VERSION: "21.0.5", OS_ARCH: "x86_64", MODULES: "java.base jdk.compiler", ...more };
    const lines = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}="${value}"\n`]));
    writeFileSync(join(java, "release"), lines.join(""));
  }
  function inspect(env: Readonly<Record<string, string | undefined>> = {}, platform: NodeJS.Platform = "linux") {
    return ghidraAvailability({ env: { GHIDRA_INSTALL_DIR: install, JAVA_HOME: java, ...env }, platform });
  }

  test("is given by an installation and a JDK, and running neither of them", async () => {
    expect(inspect()).toEqual({ status: "available", diagnostics: { version: "12.1.2", java_version: "21.0.5", startup_timeout_ms: 330_000 } });
    const { existsSync } = await import("node:fs");
    expect(existsSync(join(root, "was-run"))).toBe(false);
  });

  test.each(["12.1", "12.1.0", "12.1.12"])("takes %s", (version) => {
    properties(`# a comment = with\n! another\n application.version = ${version} \r\n`);
    expect(inspect()).toMatchObject({ status: "available", diagnostics: { version } });
  });

  test.each(["12.0.4", "12.10", "11.4.2", "13.0"])("explains that %s is not driven", (version) => {
    properties(`application.version=${version}\n`);
    expect(inspect()).toMatchObject({ code: "unsupported_version", reason: expect.stringContaining(`Ghidra ${version}; REA drives 12.1.x`), diagnostics: { version } });
  });

  test.each([
    ["not set", undefined, "not_configured", "not_set"],
    ["empty", "", "not_configured", "not_set"],
    ["relative", "./ghidra", "not_configured", "not_absolute"],
    ["of another system", "C:\\ghidra", "not_configured", "not_absolute"],
    ["with a NUL", "/opt/gh\0idra", "not_configured", "not_absolute"],
    ["one that a shell would run", "/opt/$(id)", "not_configured", "unusable_characters"],
    ["one that is not there", "/does/not/exist", "executable_missing", "no_directory"],
    ["a file", "/etc/passwd", "executable_missing", "no_directory"],
  ])("a GHIDRA_INSTALL_DIR that is %s", (_what, value, code, problem) => {
    const found = inspect({ GHIDRA_INSTALL_DIR: value });
    expect(found).toMatchObject({ status: "unavailable", code, diagnostics: { setting: "GHIDRA_INSTALL_DIR", problem } });
    // What to paste.
    expect(found).toMatchObject({ reason: expect.stringContaining("such as /opt/ghidra_12.1_PUBLIC") });
  });

  test("a launcher that is missing, a directory, or not executable", () => {
    const launcher = join(install, "support", "analyzeHeadless");
    chmodSync(launcher, 0o644);
    expect(inspect()).toMatchObject({ code: "executable_missing", diagnostics: { problem: "launcher_not_executable" } });
    rmSync(launcher);
    expect(inspect()).toMatchObject({ code: "executable_missing", diagnostics: { problem: "no_launcher" } });
    mkdirSync(launcher);
    expect(inspect()).toMatchObject({ code: "executable_missing", diagnostics: { problem: "launcher_not_a_file" } });
  });

  test("an installation that does not tell its version", () => {
    properties("application.name=Ghidra\n");
    expect(inspect()).toMatchObject({ code: "version_unresolved", diagnostics: { problem: "no_version" } });
    properties("application.version=12.1; rm -rf\n");
    expect(inspect()).toMatchObject({ code: "version_unresolved", diagnostics: { problem: "no_version" } });
    properties(`${"#".repeat(70_000)}\napplication.version=12.1\n`);
    expect(inspect()).toMatchObject({ code: "version_unresolved", diagnostics: { problem: "no_properties" } });
    rmSync(join(install, "Ghidra", "application.properties"));
    expect(inspect()).toMatchObject({ code: "version_unresolved", diagnostics: { problem: "no_properties" } });
  });

  test.each([
    ["not set", undefined, "not_set"],
    ["relative, and never run", "./evil", "not_absolute"],
    ["one that a shell would run", "/usr/`id`", "unusable_characters"],
    ["one that is not there", "/does/not/exist", "no_release_file"],
  ])("a JAVA_HOME that is %s", (_what, value, problem) => {
    expect(inspect({ JAVA_HOME: value })).toMatchObject({ code: "runtime_missing", reason: expect.stringContaining("64-bit JDK 21 or newer, such as"), diagnostics: { setting: "JAVA_HOME", problem } });
  });

  test.each([
    [{ JAVA_VERSION: "17.0.15" }, "too_old"],
    [{ JAVA_VERSION: "1.8.0_402" }, "too_old"],
    [{ JAVA_VERSION: null }, "no_version"],
    [{ JAVA_VERSION: "twenty-one" }, "no_version"],
    [{ OS_ARCH: "i386" }, "not_64_bit"],
    [{ OS_ARCH: null }, "not_64_bit"],
    [{ MODULES: "java.base java.desktop" }, "no_compiler"],
    [{ MODULES: null }, "no_compiler"],
  ])("a JDK whose release file says %o", (fields, problem) => {
    release(fields);
    expect(inspect()).toMatchObject({ code: "runtime_missing", diagnostics: { problem } });
  });

  test.each(["21", "21.0.5", "22-ea", "25.0.1+9"])("takes Java %s", (version) => {
    release({ JAVA_VERSION: version });
    expect(inspect()).toMatchObject({ status: "available", diagnostics: { java_version: version } });
  });

  test("a JDK without a list of modules has a compiler when javac lies in it", () => {
    release({ MODULES: null });
    symlinkSync(join(java, "bin", "java"), join(java, "bin", "javac"));
    expect(inspect()).toMatchObject({ status: "available" });
    rmSync(join(java, "bin", "java"));
    expect(inspect()).toMatchObject({ code: "runtime_missing", diagnostics: { problem: "no_java" } });
  });

  test.each(["0", "-1", "1.5", "five", "2147483648", " 5"])("a start-up timeout of %s", (value) => {
    expect(inspect({ REA_GHIDRA_STARTUP_TIMEOUT_MS: value })).toMatchObject({ code: "open_options_invalid", diagnostics: { setting: "REA_GHIDRA_STARTUP_TIMEOUT_MS" } });
  });

  test.each([["1", 1], ["2147483647", 2_147_483_647], ["", 330_000]])("a start-up timeout of %j is taken", (value, startup_timeout_ms) => {
    expect(inspect({ REA_GHIDRA_STARTUP_TIMEOUT_MS: value })).toMatchObject({ diagnostics: { startup_timeout_ms } });
  });

  test("other systems are told so; on Windows the launcher is the batch file", () => {
    expect(inspect({}, "freebsd")).toMatchObject({ code: "unsupported_host" });
    expect(inspect({}, "win32")).toMatchObject({ code: "executable_missing" });
    expect(inspect({ GHIDRA_INSTALL_DIR: "ghidra" }, "win32")).toMatchObject({ code: "not_configured", diagnostics: { problem: "not_absolute" } });
  });
});
