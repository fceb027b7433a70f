import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { webBundleAnalysisSchema, webPageCaptureSchema, z } from "@rea/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";

const browsers = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable", process.env["REA_BROWSER_PATH"] ?? ""];
const why = browsers.some((path) => path !== "" && existsSync(path)) ? "" : " (skipped: no browser at the known places of this host)";
const sandbox = process.getuid?.() === 0 ? ["--sandbox", "disabled"] : [];
const written = z.strictObject({ capture: webPageCaptureSchema, analysis: webBundleAnalysisSchema });

let server: Server;
let origin = "";
let place = "";

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "rea-test-web-"));
  server = createServer((request, response) => {
    const isScript = request.url === "/app.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(isScript ? 'fetch("/api/orders");' : '<!doctype html><title>Shop \u202e</title><script>localStorage.theme = "dark-value";</script><script src="/app.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${String(typeof address === "object" && address !== null ? address.port : 0)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(place, { recursive: true, force: true });
});

describe.skipIf(why !== "")(`rea web with a browser of its own${why}`, () => {
  it("says what a page is made of, though its address looks like an endpoint", async () => {
    const { status, stdout, stderr } = await runCli(["web", origin, ...sandbox, "--observe-ms", "200"]);
    expect(status, stderr).toBe(0);
    for (const text of ["Shop \\u{202e}", `${origin}/app.js`, "/api/orders", `local of ${origin}: 1 (theme)`, "no source map"]) expect(stdout).toContain(text);
    expect(stdout).not.toContain("dark-value");
    expect(stdout.includes("without its sandbox")).toBe(sandbox.length > 0);
  });

  it("writes the whole capture and analysis to a file", async () => {
    const file = join(place, "page.json");
    const { status, stdout, stderr } = await runCli(["web", `${origin}/`, ...sandbox, "--observe-ms", "200", "--output", file]);
    expect(status, stderr).toBe(0);
    expect(stdout).toBe("");
    const { capture, analysis } = written.parse(JSON.parse(readFileSync(file, "utf8")));
    expect(capture.scripts.items.map(({ url }) => url)).toContain(`${origin}/app.js`);
    expect(analysis.observations.endpoints.map(({ value }) => value)).toContain("/api/orders");
  });

  it("says that a page does not load", async () => {
    const { status, stderr } = await runCli(["web", "http://127.0.0.1:9/", ...sandbox]);
    expect(status).toBe(1);
    expect(stderr).toContain("could not load the page");
  });
});

describe("rea web", () => {
  it.each([
    [["web", "file:///etc/hosts"], "http or https"],
    [["web", "https://user:secret-word@example.org"], "without user and password"],
    [["web", "https://example.org", "--target", "x"], "--target goes with"],
    [["web", "https://example.org", "--observe-ms", "10001"], "at most 10000"],
  ])("refuses %j before anything is started", async (args, text) => {
    const { status, stderr } = await runCli(args);
    expect(status).toBe(2);
    expect(stderr).toContain(text);
    expect(stderr).not.toContain("secret-word");
  });

  it("tells a closed port from a page", async () => {
    const { status, stderr } = await runCli(["web", "http://127.0.0.1:1"]);
    expect(status).toBe(1);
    expect(stderr).toContain("Nothing answers on port 1");
  });
});
