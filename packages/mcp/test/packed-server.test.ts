import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { parseEvidence, z } from "@rea/core";
import { afterAll, beforeAll, expect, test } from "vitest";

const app = fileURLToPath(new URL("../../../apps/mcp-server", import.meta.url));
const workspace = fileURLToPath(new URL("../../..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "rea packed ünï-"));
/** A small real program of the host. */
const target = ["/bin/ls"].find((path) => existsSync(path)) ?? process.execPath;
let installed: string | undefined;

function run(command: string, args: readonly string[], cwd: string): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

beforeAll(() => {
  const { packageManager } = z.looseObject({ packageManager: z.string() }).parse(JSON.parse(readFileSync(join(workspace, "package.json"), "utf8")));
  const packed = run("npx", ["--yes", packageManager, "pack", "--pack-destination", place], app);
  expect(packed.status, packed.output).toBe(0);
  const [tarball] = readdirSync(place).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "somewhere-else", private: true }));
  const install = run("npm", ["install", "--no-audit", "--no-fund", `./${tarball ?? ""}`], place);
  if (install.status === 0) installed = join(place, "node_modules", "@rea", "mcp-server", "dist", "main.js");
}, 180_000);

afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

test("the library's client, over real stdio, walks a whole session against a packed installation", async (context) => {
  if (installed === undefined || !existsSync(installed)) return context.skip("the packed server's two dependencies could not be installed: no package registry");
  const client = new Client({ name: "packed-test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [installed], cwd: place }));
  const result = async (name: string, input: Record<string, unknown> = {}) => {
    const reply = await client.callTool({ name, arguments: input });
    expect(reply.isError, JSON.stringify(reply.content).slice(0, 2000)).not.toBe(true);
    return z.record(z.string(), z.unknown()).parse(reply.structuredContent);
  };
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(40);

  expect((await result("open_binary", { path: target }))["result"]).toMatchObject({ kind: "executable" });
  const overview = await result("binary_overview");
  expect(parseEvidence(overview["evidence"]).evidence_id).toBe(overview["evidence_id"]);
  const { entry_points: entries } = z
    .looseObject({ entry_points: z.array(z.union([z.string(), z.looseObject({ address: z.string() })])) })
    .parse(overview["result"]);
  const [entry] = entries.map((item) => (typeof item === "string" ? item : item.address));
  const analyzed = await result("analyze_function", { procedure: entry ?? "" });
  expect(analyzed["result"]).toMatchObject({ procedure: { address: entry } });
  const bundle = z.looseObject({ records: z.array(z.looseObject({ evidence_id: z.string() })) }).parse((await result("get_evidence_bundle"))["result"]);
  expect(bundle.records.map((record) => record.evidence_id).sort()).toEqual([overview["evidence_id"], analyzed["evidence_id"]].sort());
  expect((await result("close_binary"))["result"]).toBeNull();
  await client.close();
}, 180_000);
