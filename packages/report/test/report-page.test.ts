import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEvidence, type Evidence } from "@rea/core";
import { describe, expect, test } from "vitest";
import { reportPage } from "../src/index.js";

const product = { name: "REA", version: "1" };

function record(operation: string, result: unknown, limitations: readonly string[] = []): Evidence {
  return createEvidence({
    subject: { name: "<script>alert(1)</script>", digest: { sha256: "a".repeat(64) }, format: "elf", architecture: "x86_64", local_path: null },
    provider: { id: "rea-native", name: "n", version: "1" },
    operation,
    parameters: { address: "0x10" },
    normalized_result: result,
    confidence: "observed",
    authority: "shipped-artifact",
    limitations,
  });
}

const calls = {
  nodes: [
    { address: "0x10", name: "main", depth: 0, expanded: true },
    { address: "0x20", name: '"><img src=x onerror=alert(1)>', depth: 1, expanded: false },
  ],
  edges: [{ from: "0x10", to: "0x20" }],
};
const records = [record("get_call_graph", calls, ["Indirect calls are not followed."]), record("binary_overview", { procedure_count: 12345, notable_strings: [{ address: "0x1", value: "<b>bold</b>" }] })];

describe("a report", () => {
  const page = reportPage({ title: "app & co", records, product });

  test("shows nothing of the target as markup, fetches nothing and runs nothing", () => {
    expect(page).not.toMatch(/<script|<img|<b>|onerror=alert\(1\)>|https?:(?!\/\/www\.w3\.org\/2000\/svg)|@import|<link|<iframe/u);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain("&lt;script&gt;");
  });

  test("names every record that it rests on, and everything that was not looked at", () => {
    for (const { evidence_id: id } of records) expect(page).toContain(id);
    expect(page).toContain("Indirect calls are not followed.");
    expect(page).toContain("12,345");
    expect(page).toContain("<svg");
  });

  test("lists open questions as they stand last, and leaves out what is settled", () => {
    const revision = (id: string, number: number, status: string, question: string) => record("update_unknown", { unknown: { unknown_id: id, revision: number, question, domain: "network", status, severity: "high" } });
    const asked = reportPage({ title: "q", records: [revision("unk_1", 2, "blocked", "Which host?"), revision("unk_1", 1, "open", "Which host?"), revision("unk_2", 1, "open", "Which <port>?"), revision("unk_2", 2, "resolved", "Which <port>?")], product });
    expect(asked).toContain("<td>Which host?</td><td>network</td><td>blocked</td>");
    expect(asked).not.toContain("&lt;port&gt;");
  });

  test("says how many graphs it did not draw", () => {
    const many = Array.from({ length: 15 }, (_, index) => record("get_call_graph", calls, [String(index)]));
    expect(reportPage({ title: "many", records: many, product })).toContain("3 further functions and call graphs are not drawn here");
  });

  test("shows what a signature check found broken, with its place", () => {
    const page = reportPage({ title: "s", records: [record("inspect_signature", { slices: [{ signers: [{ signature: { verdict: "broken", reason: "digest <differs>" } }], pages: { checked: 9, mismatched_total: 2 } }] })], product });
    expect(page).toContain('<code>/slices/0/signers/0/signature</code></td><td><span class="bad">broken</span></td><td>digest &lt;differs&gt;');
    expect(page).toContain("2 of 9 pages are not what was signed");
  });

  test("of no records says so instead of failing", () => {
    expect(reportPage({ title: "empty", records: [], product })).toContain("0 Evidence records");
  });

  test("has a language, one first heading, headed tables and named pictures", () => {
    expect(page).toContain('<html lang="en">');
    expect([...page.matchAll(/<h1>/gu)]).toHaveLength(1);
    const tables = [...page.matchAll(/<table>/gu)].length;
    expect([...page.matchAll(/<thead>/gu)]).toHaveLength(tables);
    for (const [svg] of page.matchAll(/<svg[^>]*>/gu)) expect(svg).toMatch(/role="img" aria-label="[^"]+"/u);
  });

  const browser = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));
  test.skipIf(browser === undefined)("is no wider than a phone in a real browser (skipped: no Chromium on this host)", () => {
    const directory = mkdtempSync(join(tmpdir(), "rea-report-test-"));
    try {
      const file = join(directory, "page.html");
      // Measured by the page itself: the copy under test may run a script, the report itself may not.
      const probe = '<script>document.title = String(document.documentElement.scrollWidth > document.documentElement.clientWidth)</script></body>';
      writeFileSync(file, page.replace(/<meta http-equiv[^>]*>/u, "").replace("</body>", probe));
      const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=500,900", `--user-data-dir=${join(directory, "profile")}`, "--dump-dom", `file://${file}`];
      const { stdout } = spawnSync(browser ?? "", options, { encoding: "utf8", timeout: 60_000 });
      expect(/<title>(.*?)<\/title>/u.exec(stdout)?.[1]).toBe("false");
      expect(readFileSync(file, "utf8").length).toBeLessThan(3_000_000);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
