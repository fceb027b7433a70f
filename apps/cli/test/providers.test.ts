import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-cli-providers-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A host without engines, whatever this one has set. */
const env = { PATH: process.env["PATH"], HOME: place };
const program = "/bin/ls";

describe.skipIf(process.platform === "win32")("providers on the command line", () => {
  test("rea providers lists all with what each lacks, and the exact candidates as JSON", async () => {
    const text = await runCli(["providers"], { env });
    expect(text.status).toBe(0);
    expect(text.stdout).toMatch(/ghidra +not configured[^]*GHIDRA_INSTALL_DIR[^]*hopper[^]*rea-native +available/);
    const json = await runCli(["providers", "--json"], { env });
    const { result } = JSON.parse(json.stdout);
    expect(result.analysis_provider_binding).toBeNull();
    for (const candidate of result.analysis_provider_candidates) expect(candidate.target_support.status).toBe("unknown");
  });

  test("a provider that lacks something is refused with what to set and a command that works", async () => {
    const missing = await runCli(["inspect", program, "--provider", "ghidra"], { env });
    expect([missing.status, missing.stdout]).toEqual([1, ""]);
    expect(missing.stderr).toContain("ghidra: Set GHIDRA_INSTALL_DIR");
    expect(missing.stderr).toContain('next: Correct the cause above, or run the command again with --provider "auto".');
    const relative = await runCli(["inspect", program, "--provider", "ghidra", "--json"], { env: { ...env, GHIDRA_INSTALL_DIR: "ghidra", JAVA_HOME: "./evil" } });
    const { error } = JSON.parse(relative.stdout);
    expect(error).toMatchObject({ code: "provider_unavailable", details: { selection_reason: "provider_unavailable", rejections: [{ provider_id: "ghidra", code: "not_configured" }] } });
    const unknown = await runCli(["inspect", program, "--provider", "nobody"], { env });
    expect(unknown.stderr).toContain('--provider "ghidra", or "hopper", or "rea-native", or "auto"');
    const setting = await runCli(["inspect", program], { env: { ...env, REA_ANALYSIS_PROVIDER: "ghidra" } });
    expect(setting.stderr).toContain("Correct or unset REA_ANALYSIS_PROVIDER");
    const overridden = await runCli(["inspect", program, "--provider", "auto"], { env: { ...env, REA_ANALYSIS_PROVIDER: "ghidra" } });
    expect(overridden.status).toBe(0);
  });

  test("rea cross-check says that there is nothing to check against, and tells so by its status only when asked", async () => {
    const alone = await runCli(["cross-check", program], { env });
    expect(alone.status).toBe(0);
    expect(alone.stdout).toContain("Only rea-native could be asked about this file, so there is nothing to check it against");
    expect(alone.stdout).toContain("GHIDRA_INSTALL_DIR");
    expect((await runCli(["cross-check", program, "--exit-code"], { env })).status).toBe(3);
    const json = await runCli(["cross-check", program, "--json"], { env });
    const { result, evidence } = JSON.parse(json.stdout);
    expect(result).toMatchObject({ status: "not_compared", coverage: { state: "unavailable" } });
    expect(evidence).toMatchObject({ operation: "compare_providers", confidence: "derived" });
    expect((await runCli(["cross-check", program, "--providers", "rea-native"], { env })).status).toBe(2);
    expect((await runCli(["cross-check", program, "--providers", "rea-native,nobody"], { env })).stderr).toContain("providers: ghidra, hopper, rea-native");
  });

  test("--warm answers as without it, and leaves no record of its own", async () => {
    const [cold, warm] = [join(place, "cold.json"), join(place, "warm.json")];
    const args = ["tool", "list_segments", "--target", program, "--json"];
    const first = await runCli([...args, "--save-evidence", cold], { env });
    const second = await runCli([...args, "--warm", "--save-evidence", warm], { env });
    expect([first.status, second.status]).toEqual([0, 0]);
    expect(second.stdout).toBe(first.stdout);
    expect(readFileSync(warm, "utf8")).toBe(readFileSync(cold, "utf8"));
  });
});
