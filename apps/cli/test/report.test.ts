import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBundle, createEvidence, serializeBundle, type Evidence } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { browser, checkPage, type PageFindings } from "./page-checks.js";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-report-"));
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
const rea = (...args: string[]) => runCli(args, { cwd: place, env: { ...process.env, HOME: join(place, "home"), NO_COLOR: "1" } });

const views = [
  { width: 500, dark: false },
  { width: 1280, dark: false },
  { width: 1280, dark: true },
];

function expectReadable(found: PageFindings, dark: boolean): void {
  const { passes, pictures, dark: shownDark, ...faults } = found;
  expect(faults).toEqual({ violations: [], wider: false, faint: [], outside: [], overlapping: [] });
  expect(shownDark).toBe(dark);
  expect(passes).toBeGreaterThan(15);
  expect(pictures).toBeGreaterThan(0);
}

const program = "/usr/bin/git";
describe.skipIf(browser === undefined || !existsSync(program))("the page about a program (skipped: no Chromium or no git on this host)", () => {
  test.each(views)("is legible and accessible at $width pixels, dark: $dark", async ({ width, dark }) => {
    const page = join(place, "program.html");
    if (!existsSync(page)) expect((await rea("report", program, "-o", "program.html")).status).toBe(0);
    expect(statSync(page).size).toBeLessThan(3_000_000);
    expectReadable(checkPage(place, page, { width, dark }), dark);
  }, 300_000);
});

const a = "a".repeat(64);
const b = "b".repeat(64);

function record(operation: string, normalized_result: Evidence["normalized_result"], links: readonly string[] = []): Evidence {
  return createEvidence({
    subject: { name: "app.asar", digest: { sha256: a }, format: "asar", architecture: null, local_path: null },
    provider: { id: "rea-artifact", name: "REA artifact", version: "1" },
    operation,
    parameters: { path: { sha256: a } },
    normalized_result,
    confidence: "observed",
    authority: "shipped-artifact",
    limitations: ["Nothing outside the archive was read."],
    evidence_links: links,
  });
}

describe("the page about a bundle with findings", () => {
  test("tells contradicted contents, and verdicts of claims, each with its record", async () => {
    expect((await rea("inspect-artifact", "/usr/bin/true", "--save-evidence", "plain.json")).status).toBe(0);
    const [plain] = JSON.parse(readFileSync(join(place, "plain.json"), "utf8")).records;
    const damaged = record("inspect_artifact", {
      ...plain.normalized_result,
      integrity_contradictions: [
        { contradiction_id: "ic_1", occurrence_id: "occ_1", parent_artifact_id: null, logical_path: "lib/<main>.js", declared_sha256: a, observed_sha256: b, entry_kind: "file", unpacked: false, trust: "observed-untrusted", provenance: "asar", limitations: [] },
      ],
    });
    const claims = [
      { claim_id: "output", kind: "behavioral", status: "fail", reason: "terminal is changed", counter_fact: { place: "/dimensions/0", expected: "unchanged", actual: "changed" }, evidence_links: [] },
      { claim_id: "exit", kind: "behavioral", status: "unknown", reason: "a capture is missing", counter_fact: null, evidence_links: [] },
    ];
    const verified = record("verify_reconstruction", { status: "fail", claims, summary: { pass: 0, fail: 1, unknown: 1 }, imported_evidence_ids: [], cited_records: [], recommended_probes: [], specification_sha256: a, coverage: { state: "complete", omissions: [] }, limitations: [] }, [damaged.evidence_id]);
    const calls = record("get_call_graph", { nodes: [{ address: "0x10", name: "main", depth: 0, expanded: true }], edges: [] });
    writeFileSync(join(place, "bundle.json"), serializeBundle(createBundle({ records: [damaged, verified, calls], unknowns: [] })));
    expect((await rea("report", "bundle.json", "-o", "bundle.html")).status).toBe(0);
    const page = readFileSync(join(place, "bundle.html"), "utf8");
    expect(page).toContain("Contents that contradict their digest");
    expect(page).toContain("lib/&lt;main&gt;.js");
    expect(page).toContain(b);
    expect(page).toContain('<span class="bad">fail</span>');
    expect(page).toContain("terminal is changed<br>at <code>/dimensions/0</code>: changed, not unchanged");
    expect(page).toContain("fail 1; unknown 1");
    for (const { evidence_id: id } of [damaged, verified]) expect(page).toContain(id);
  });

  test.skipIf(browser === undefined)("is accessible as well, light and dark (skipped: no Chromium on this host)", () => {
    for (const view of views) expectReadable(checkPage(place, join(place, "bundle.html"), view), view.dark);
  }, 300_000);
});

describe.skipIf(process.platform !== "linux")("the page about a run, and about what changed", () => {
  test("tells how the run ended, what it started and made, and its last screen", async () => {
    expect((await rea("capture-process", "--save-evidence", "run.json", "--", "sh", "-c", "printf 'all <done>\\n'; echo x > made; exit 3")).status).toBe(0);
    expect((await rea("report", "run.json", "-o", "run.html")).status).toBe(0);
    const page = readFileSync(join(place, "run.html"), "utf8");
    expect(page).toContain("exited, exit code 3");
    expect(page).toContain("<td>made</td><td>created</td>");
    expect(page).toContain("<pre>all &lt;done&gt;</pre>");
    expect(page).toMatch(/<span class="good">proven<\/span> by (cgroup|group_and_token)/u);
  }, 60_000);

  test.skipIf(!existsSync("/usr/bin/false"))("names the functions that differ between two programs (skipped: no /usr/bin/false on this host)", async () => {
    expect((await rea("compare-binaries", "/usr/bin/true", "/usr/bin/false", "--save-evidence", "changes.json")).status).toBe(0);
    expect((await rea("report", "changes.json", "-o", "changes.html")).status).toBe(0);
    const page = readFileSync(join(place, "changes.html"), "utf8");
    expect(page).toContain("<h2>Functions that changed");
    expect(page).toMatch(/<td>changed<\/td><td>[\d.]+ % alike; /u);
  }, 60_000);

  test.skipIf(browser === undefined)("is accessible as well (skipped: no Chromium on this host)", () => {
    for (const name of ["run.html", "changes.html"].filter((file) => existsSync(join(place, file)))) {
      const { violations, wider } = checkPage(place, join(place, name), { width: 500, dark: false });
      expect([name, violations, wider]).toEqual([name, [], false]);
    }
  }, 300_000);
});

test.skipIf(browser === undefined)("the checks themselves find faint, cut, overlapping and unnamed things (skipped: no Chromium on this host)", () => {
  const svg = '<svg class="map" viewBox="0 0 100 50" width="100" height="50"><g><rect x="0" y="0" width="10" height="12" fill="#fff"/><text x="0" y="10" fill="#eee">far too long</text></g><text x="0" y="11">over</text></svg>';
  writeFileSync(join(place, "bad.html"), `<!doctype html><html><head><title>x</title></head><body><p style="color:#ccc">faint</p>${svg}<div style="width:3000px">wide</div></body></html>`);
  const { violations, wider, faint, outside, overlapping } = checkPage(place, join(place, "bad.html"), { width: 500, dark: false });
  expect([wider, faint, outside, overlapping]).toEqual([true, ["far too long"], ["far too long"], ["far too long / over"]]);
  expect(violations.map((text) => text.split(":")[0])).toEqual(expect.arrayContaining(["color-contrast", "html-has-lang"]));
}, 300_000);
