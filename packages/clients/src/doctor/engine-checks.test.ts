import { expect, test } from "vitest";
import { engineChecks } from "./engine-checks.js";
import { sessionDescription } from "./description.js";

const catalog = { tool_count: 0, tools_sha256: "", providers_sha256: "", combined_sha256: "" };
const candidate = (id: string, code: string | null, diagnostics: object = {}) => ({
  provider: { id, name: id.toUpperCase(), version: id === "rea-native" ? "1" : null },
  availability: { status: code === null ? "available" : "unavailable", code, reason: code === null ? null : "Why.", diagnostics: { ...diagnostics } },
});
const description = (...analysis_provider_candidates: object[]) =>
  sessionDescription({ server_identity: { sdk: {}, catalog }, analysis_provider_candidates: JSON.parse(JSON.stringify(analysis_provider_candidates)) });

test("each engine is checked, and what it lacks is a line that can be pasted", () => {
  const checks = engineChecks(
    description(
      candidate("ghidra", "not_configured", { setting: "GHIDRA_INSTALL_DIR", problem: "not_set" }),
      candidate("ghidra-two", "runtime_missing", { setting: "JAVA_HOME" }),
      candidate("hopper", "runtime_missing", { program: "Xvfb" }),
      candidate("hopper-two", "open_options_invalid", { setting: "HOPPER_LOADER_ARGS_JSON" }),
      candidate("other", "unsupported_host", { platform: "win32" }),
      candidate("rea-native", null),
    ),
    "auto",
  );
  expect(checks.map(({ name, ok, remediation }) => [name, ok, remediation])).toEqual([
    ["engine:ghidra", false, "export GHIDRA_INSTALL_DIR=/opt/ghidra_12.1_PUBLIC"],
    ["engine:ghidra-two", false, "export JAVA_HOME=/usr/lib/jvm/java-21-openjdk-amd64"],
    ["engine:hopper", false, "sudo apt-get install xvfb"],
    ["engine:hopper-two", false, "unset HOPPER_LOADER_ARGS_JSON"],
    ["engine:other", false, "rea providers"],
    ["engine:rea-native", true, null],
  ]);
  expect(checks[0]?.detail).toBe("GHIDRA cannot be used: Why.");
  expect(checks[5]?.detail).toBe("REA-NATIVE 1 can be used.");
});

test("an id that no provider has is a finding", () => {
  const [, named] = engineChecks(description(candidate("rea-native", null)), "nobody");
  expect(named).toMatchObject({ name: "engine:named", ok: false, detail: expect.stringContaining("rea-native") });
});
