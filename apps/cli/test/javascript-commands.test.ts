import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sourceReferenceSchema } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-javascript-cli-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const options = { cwd: place, env: { ...process.env, HOME: join(place, "home"), NO_COLOR: "1" } };
const rea = (...args: string[]) => runCli(args, options);

const original = `export function go(x) {\n  return x ? { type: "a", n: 1 } : { type: "b" };\n}\n`;
const files = {
  "package.json": JSON.stringify({ name: "inner", version: "1.0.0", main: "main.js" }),
  "main.js": `exports.go = (x) => (x ? { type: "a", n: 1 } : { type: "b" });\nfetch("https://inner.example/v1");\n//# sourceMappingURL=main.js.map\n`,
  "main.js.map": JSON.stringify({ version: 3, sources: ["src/main.ts"], sourcesContent: [original], mappings: "AAAA" }),
};

function write(root: string, tree: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A disk image as Apple writes it, around a raw volume: one stored chunk, its list, the trailer. */
function diskImage(raw: Buffer): Buffer {
  const sectors = Math.ceil(raw.byteLength / 512);
  const data = Buffer.concat([raw, Buffer.alloc(sectors * 512 - raw.byteLength)]);
  const table = Buffer.alloc(204 + 80);
  table.write("mish", 0, "latin1");
  table.writeUInt32BE(1, 4);
  table.writeBigUInt64BE(BigInt(sectors), 16);
  table.writeUInt32BE(2, 200);
  table.writeUInt32BE(1, 204);
  table.writeBigUInt64BE(BigInt(sectors), 204 + 16);
  table.writeBigUInt64BE(BigInt(data.byteLength), 204 + 32);
  table.writeUInt32BE(0xffff_ffff, 244);
  table.writeBigUInt64BE(BigInt(sectors), 244 + 8);
  const list = Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>resource-fork</key><dict><key>blkx</key><array><dict><key>Attributes</key><string>0x0050</string><key>Data</key><data>${table.toString("base64")}</data><key>ID</key><string>0</string><key>Name</key><string>disk</string></dict></array></dict></dict></plist>`,
  );
  const trailer = Buffer.alloc(512);
  trailer.write("koly", 0, "latin1");
  trailer.writeUInt32BE(4, 4);
  trailer.writeUInt32BE(512, 8);
  trailer.writeUInt32BE(1, 12);
  trailer.writeBigUInt64BE(BigInt(data.byteLength), 32);
  trailer.writeUInt32BE(1, 56);
  trailer.writeUInt32BE(1, 60);
  trailer.writeBigUInt64BE(BigInt(data.byteLength), 216);
  trailer.writeBigUInt64BE(BigInt(list.byteLength), 224);
  trailer.writeUInt32BE(1, 488);
  trailer.writeBigUInt64BE(BigInt(sectors), 492);
  return Buffer.concat([data, list, trailer]);
}

const ran = (program: string, args: readonly string[]): boolean => spawnSync(program, args, { cwd: place }).status === 0;
const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

interface Container {
  readonly name: string;
  readonly needs: string;
  readonly inner: string;
  /** Makes the container beside the tree `packed`. */
  make(): boolean;
}

const containers: readonly Container[] = [
  { name: "app.zip", needs: "zip", inner: "opt/inner", make: () => spawnSync("zip", ["-q", "-r", "../app.zip", "opt"], { cwd: join(place, "packed") }).status === 0 },
  { name: "app.tar.gz", needs: "tar", inner: "app.tar!/opt/inner", make: () => ran("tar", ["-czf", "app.tar.gz", "-C", "packed", "opt"]) },
  { name: "app.deb", needs: "dpkg-deb", inner: "opt/inner", make: () => ran("dpkg-deb", ["--build", "--root-owner-group", "packed", "app.deb"]) },
  {
    name: "app.dmg",
    needs: "xorriso",
    inner: "opt/inner",
    make: () => {
      if (!ran("xorriso", ["-as", "mkisofs", "-quiet", "-r", "-o", "volume.iso", "packed"])) return false;
      writeFileSync(join(place, "app.dmg"), diskImage(readFileSync(join(place, "volume.iso"))));
      return true;
    },
  },
];

beforeAll(() => {
  write(join(place, "plain"), files);
  write(join(place, "packed/opt/inner"), files);
  write(join(place, "packed/DEBIAN"), { control: "Package: inner\nVersion: 1.0.0\nArchitecture: all\nMaintainer: Nobody <nobody@example.org>\nDescription: inner\n" });
});

/** The logical path of the application as the inventory shows it. */
async function innerPath(container: string): Promise<string> {
  const { stdout } = await rea("inspect-artifact", container, "--json", "--limit", "500");
  return /"logical_path":"([^"]*opt\/inner)\/main\.js"/u.exec(stdout)?.[1] ?? "";
}

describe("an application inside a container", () => {
  test.each(containers.map((container) => [container.name, container] as const))("%s is analysed by its inner path, as the same application, searched and its sources recovered", async (name, container) => {
    if (!has(container.needs)) {
      console.warn(`skipped: ${container.needs} is not here`);
      return;
    }
    expect(container.make()).toBe(true);
    const inner = await innerPath(name);
    expect(inner).toContain("opt/inner");
    const found = JSON.parse((await rea("analyze-javascript-application", name, "--inner-path", inner, "--json")).stdout);
    const plain = JSON.parse((await rea("analyze-javascript-application", "plain", "--json")).stdout);
    expect(found.result.summary.application).toEqual(plain.result.summary.application);
    expect(found.result.summary.endpoints).toEqual(plain.result.summary.endpoints);
    expect(found.result.statistics).toEqual({ ...plain.result.statistics, entries: found.result.statistics.entries });

    const hits = JSON.parse((await rea("search", name, "inner.example", "--inner-path", inner, "--json")).stdout);
    expect(hits.hits.map(({ path, line }: { path: string; line: number }) => [path, line])).toEqual([["main.js", 2]]);
    const recovered = await rea("recover-sources", name, "--inner-path", inner, "--output", `recovered-${name}`);
    expect([recovered.status, readFileSync(join(place, `recovered-${name}`, "src/main.ts"), "utf8")]).toEqual([0, original]);
  }, 120_000);

  test("that is not there is refused by the name of the argument", async () => {
    write(join(place, "zipped"), files);
    const done = await rea("analyze-javascript-application", "plain", "--inner-path", "nowhere", "--json");
    expect([done.status, JSON.parse(done.stdout)]).toMatchObject([1, { error: { code: "invalid_request", details: { issues: [{ path: "inner_path" }] } } }]);
  });
});

describe("commands about applications", () => {
  test("analyze prints a page, search finds a text in code and original, recover-sources writes what maps hold and nothing over what is there", async () => {
    const page = await rea("analyze", "plain");
    expect([page.status, page.stdout]).toEqual([0, expect.stringContaining("inner.example")]);
    const hits = await rea("search", "plain", "type:");
    expect(hits.stdout).toContain("src/main.ts");
    const recovered = await rea("recover-sources", "plain", "--output", "recovered");
    expect([recovered.status, recovered.stdout]).toEqual([0, expect.stringContaining("1 originals of 1 source maps")]);
    expect(readdirSync(join(place, "recovered"), { recursive: true }).sort()).toEqual(["src", "src/main.ts"]);
    const again = await rea("recover-sources", "plain", "--output", "recovered", "--json");
    expect([again.status, JSON.parse(again.stdout)]).toMatchObject([1, { error: { code: "artifact_operation_failed" } }]);
    expect((await rea("search", "nowhere", "x")).status).toBe(1);
  });

  test("compare versions, exports and sources, with verdicts as exit codes", async () => {
    write(join(place, "newer"), { ...files, "package.json": files["package.json"].replace("1.0.0", "1.1.0"), "main.js": files["main.js"].replace("n: 1", "n: 2, m: []") });
    const versions = await rea("compare-application-versions", "plain", "newer", "--exit-code");
    expect([versions.status, versions.stdout]).toEqual([1, expect.stringContaining("~ package inner  version")]);
    expect((await rea("compare-application-versions", "plain", "plain", "--exit-code")).status).toBe(0);
    const exports = await rea("compare-javascript-export-shapes", "plain", "newer", "--module", "main.js", "--export", "go", "--exit-code");
    expect([exports.status, exports.stdout]).toEqual([1, expect.stringContaining("  /n: 1 → 2")]);
    write(join(place, "sources"), { "src/main.ts": original, ".env": "TOKEN=hidden" });
    const sources = await rea("compare-source-to-bundle", "sources", "plain", "--exit-code");
    expect(sources.stdout).toContain("= unchanged  src/main.ts");
    expect((await rea("compare-javascript-export-shapes", "plain", "newer", "--module", "main.js")).status).toBe(2);
    expect((await rea("compare-application-versions", "plain", "newer", "--limit", "many")).status).toBe(2);
  }, 60_000);

  test("a saved record is compared as the application itself is, and the same bytes give the same record from another place", async () => {
    const saved = await rea("compare-application-versions", "plain", "newer", "--json", "--save-evidence", "both.bundle");
    const { evidence_id: id } = JSON.parse(saved.stdout);
    expect((await rea("evidence-verify", "both.bundle")).status).toBe(0);
    write(join(place, "elsewhere/plain"), files);
    const moved = await rea("compare-application-versions", "elsewhere/plain", "newer", "--json");
    expect(JSON.parse(moved.stdout).evidence_id).toBe(id);
  }, 60_000);

  test("import-reference-source writes a graph of sources once, leaves secrets out, and refuses unusable patterns", async () => {
    const first = await rea("import-reference-source", "sources", "reference.json");
    expect([first.status, first.stdout]).toEqual([0, expect.stringContaining("left out .env")]);
    const text = readFileSync(join(place, "reference.json"), "utf8");
    expect(sourceReferenceSchema.parse(JSON.parse(text))).toMatchObject({ authority: "historical-reference", inventory_state: "complete", exclusions: [{ path: ".env", reason: "secret-pattern", pattern: ".env" }] });
    expect(text).not.toContain("hidden");
    const again = await rea("import-reference-source", "sources", "reference.json");
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining("--overwrite")]);
    expect((await rea("import-reference-source", "sources", "reference.json", "--overwrite")).status).toBe(0);
    expect(readFileSync(join(place, "reference.json"), "utf8")).toBe(text);
    const bad = await runCli(["import-reference-source", "sources", "other.json", "--json"], { ...options, env: { ...options.env, REA_REFERENCE_SECRET_PATTERNS_JSON: "{" } });
    expect([bad.status, JSON.parse(bad.stdout)]).toMatchObject([1, { error: { code: "configuration_invalid", details: { setting: "REA_REFERENCE_SECRET_PATTERNS_JSON" } } }]);
    expect((await rea("import-reference-source", "nowhere", "other.json")).status).toBe(1);
    expect(readdirSync(place)).not.toContain("other.json");
  }, 60_000);

  test("a page names a single file as it is called, its record does not, and an archive's contradicted member stays out under record-and-continue", async () => {
    write(join(place, "single"), { "one.js": files["main.js"], "two.js": files["main.js"] });
    const [one, two] = [await rea("analyze", "single/one.js", "--json"), await rea("analyze", "single/two.js", "--json")];
    expect(JSON.parse(one.stdout)[0].evidence_id).toBe(JSON.parse(two.stdout)[0].evidence_id);
    expect((await rea("analyze", "single/one.js")).stdout).toMatch(/one\.js:2\s+https:\/\/inner\.example/u);
    const asar = createRequire(new URL("../../../packages/javascript/package.json", import.meta.url))("@electron/asar");
    await asar.createPackage(join(place, "plain"), join(place, "plain.asar"));
    await expect.poll(() => readFileSync(join(place, "plain.asar")).includes("inner.example")).toBe(true);
    const bytes = readFileSync(join(place, "plain.asar"));
    bytes.write("INNER", bytes.indexOf("inner.example"));
    writeFileSync(join(place, "changed.asar"), bytes);
    const refused = await rea("analyze", "changed.asar", "--json");
    expect([refused.status, JSON.parse(refused.stdout)]).toMatchObject([1, { error: { code: "artifact_integrity_mismatch" } }]);
    const page = await rea("analyze", "changed.asar", "--integrity-policy", "record-and-continue");
    expect([page.status, page.stdout]).toEqual([0, expect.stringMatching(/contradicted-file\s+main\.js/u)]);
    expect(page.stdout).not.toContain("INNER");
    expect((await rea("analyze", "changed.asar", "--integrity-policy", "ignore")).status).toBe(2);
  }, 120_000);

  test("reconcile-javascript-runtime tells which files a program loaded, from a saved observation", async () => {
    write(join(place, "server"), { "package.json": JSON.stringify({ name: "server", version: "1.0.0", main: "main.js" }), "main.js": `const { run } = require("./run"); setInterval(run, 1000);`, "run.js": "exports.run = () => 1;", "never.js": "exports.never = () => 2;" });
    const child = spawn(process.execPath, ["--inspect=127.0.0.1:0", join(place, "server/main.js")], { stdio: ["ignore", "ignore", "pipe"] });
    try {
      const endpoint = await new Promise<string>((resolve, reject) => {
        child.once("exit", () => reject(new Error("The program ended.")));
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          const port = /ws:\/\/127\.0\.0\.1:(\d+)\//u.exec(text)?.[1];
          if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
        });
      });
      const listed = JSON.parse((await rea("list-javascript-runtime-targets", endpoint, "--json")).stdout);
      const targetId: string = listed.result.targets.items[0].target_id;
      const seen = await rea("observe-javascript-runtime", endpoint, targetId, "node", "--allowed-file-roots", join(place, "server"), "--save-evidence", "run.bundle", "--json");
      expect(seen.status).toBe(0);
      const found = await rea("reconcile-javascript-runtime", "server", "run.bundle", "--limit", "500");
      expect([found.status, found.stdout]).toEqual([0, expect.stringContaining("run.js")]);
      const told = JSON.parse((await rea("reconcile-javascript-runtime", "server", "run.bundle", "--limit", "500", "--json")).stdout);
      const states = Object.fromEntries(told.result.static_items.items.map(({ name, load_state }: { name: string; load_state: string }) => [name, load_state]));
      expect(states).toMatchObject({ "main.js": "loaded", "run.js": "loaded" });
      expect(["not_observed_in_capture", "unknown"]).toContain(states["never.js"]);
      expect((await rea("reconcile-javascript-runtime", "server", "run.bundle", "--map", "nowhere")).status).toBe(2);
      expect((await rea("reconcile-javascript-runtime", "server", "nowhere.bundle")).status).toBe(2);
    } finally {
      child.kill("SIGKILL");
    }
  }, 120_000);
});
