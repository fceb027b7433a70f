import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-web-commands-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const options = { cwd: place, env: { ...process.env, HOME: join(place, "home"), NO_COLOR: "1" } };
const rea = (...args: string[]) => runCli(args, options);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A grey picture of 20 × 10 with one pixel of another grey where one is wanted. */
function picture(name: string, width: number, changed?: number): void {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(10, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * 10, 100);
  for (let row = 0; row < 10; row += 1) rows[row * (width + 1)] = 0;
  if (changed !== undefined) rows[4 * (width + 1) + 1 + changed] = 130;
  writeFileSync(join(place, name), Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]));
}

describe("rea compare-web-screenshots", () => {
  beforeAll(() => {
    picture("a.png", 20);
    picture("b.png", 20, 7);
    picture("wide.png", 21);
    writeFileSync(join(place, "none.png"), "no picture");
  });

  test("says what changed, writes a difference image, and exits by the verdict when asked to", async () => {
    const { stdout, status } = await rea("compare-web-screenshots", "a.png", "b.png", "--output", "diff.png", "--exit-code");
    expect(status).toBe(1);
    expect(stdout).toContain("The two images differ.");
    expect(stdout).toContain("1 of 200 pixels changed (0.5 %), by at most 30 of 255");
    expect(readFileSync(join(place, "diff.png")).subarray(1, 4).toString()).toBe("PNG");
    expect((await rea("compare-web-screenshots", "a.png", "b.png", "--channel-threshold", "30", "--exit-code")).status).toBe(0);
    expect((await rea("compare-web-screenshots", "a.png", "wide.png", "--exit-code")).stdout).toContain("different sizes");
  }, 60_000);

  test("refuses what is no picture, a picture beyond the bound, and an output that is an input", async () => {
    expect(await rea("compare-web-screenshots", "a.png", "none.png")).toMatchObject({ status: 1, stderr: expect.stringContaining("The right image cannot be read") });
    expect(await rea("compare-web-screenshots", "a.png", "b.png", "--maximum-pixels", "199")).toMatchObject({ status: 1, stderr: expect.stringContaining("maximum_pixels (199)") });
    expect(await rea("compare-web-screenshots", "a.png", "b.png", "--output", "a.png")).toMatchObject({ status: 2, stderr: expect.stringContaining("--output names the file") });
  }, 60_000);
});

const browsers = ["/usr/bin/chromium", "/usr/bin/google-chrome-stable", "/usr/bin/google-chrome", "/Applications/Google Chrome.app"];

describe.skipIf(!browsers.some((path) => existsSync(path)))("rea capture-browser-scenario (skipped without a browser)", () => {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(`<title>Shop</title><p>${word}</p><button>Buy</button>`));
  let word = "one";
  let origin = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    const address = server.address();
    origin = `http://127.0.0.1:${String(typeof address === "object" ? address?.port : 0)}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const scenario = (actions: readonly object[], sandbox: string): void =>
    writeFileSync(
      join(place, "scenario.json"),
      JSON.stringify({
        browser: { mode: "launch", sandbox },
        actions: [{ step_id: "open", type: "goto", url: `${origin}/` }, ...actions],
        capture: { after_each_step: ["dom"], events: ["network"], limits: { step_ms: 30_000, total_ms: 120_000 } },
      }),
    );
  const sandbox = process.geteuid?.() === 0 ? "disabled" : "enabled";

  test("tells each step, writes the capture and the archive, and captures compare step by step", async () => {
    scenario([{ step_id: "buy", type: "click", role: "button", name: "Buy" }], sandbox);
    const { stdout, status } = await rea("capture-browser-scenario", "scenario.json", "--output", "one.json");
    expect([status, stdout.split("\n")[0]]).toEqual([0, "All steps completed."]);
    const archive = await rea("capture-browser-scenario", "scenario.json", "--format", "har");
    expect(JSON.parse(archive.stdout)).toMatchObject({ log: { version: "1.2", entries: expect.arrayContaining([expect.objectContaining({ request: expect.objectContaining({ url: `${origin}/` }) })]) } });
    word = "two and more";
    await rea("capture-browser-scenario", "scenario.json", "--output", "two.json");
    const compared = await rea("compare-web-captures", "one.json", "two.json", "--exit-code");
    expect(compared.status).toBe(1);
    expect(compared.stdout).toContain("~ open, dom_structure:");
    expect((await rea("compare-web-captures", "one.json", "one.json", "--exit-code")).status).toBe(0);
  }, 240_000);

  test("tells a step that failed, and exits with 1 when asked to", async () => {
    scenario([{ step_id: "gone", type: "click", css: ".nothing-of-this-name" }], sandbox);
    const text = readFileSync(join(place, "scenario.json"), "utf8").replace("30000", "2000");
    writeFileSync(join(place, "scenario.json"), text);
    const { stdout, status } = await rea("capture-browser-scenario", "scenario.json", "--exit-code");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^Step (?:gone|open) failed: /);
  }, 120_000);

  test.skipIf(sandbox === "enabled")("says how a browser can run as root (skipped unless root)", async () => {
    scenario([], "enabled");
    expect(await rea("capture-browser-scenario", "scenario.json")).toMatchObject({ status: 1, stderr: expect.stringContaining("as root") });
  }, 60_000);
});
