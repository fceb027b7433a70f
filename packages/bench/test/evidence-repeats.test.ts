import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { JsonRpcProcess, textOf } from "@rea/testkit";
import { afterAll, expect, test } from "vitest";

const serverMain = fileURLToPath(new URL("../../../apps/mcp-server/dist/main.js", import.meta.url));
const homes = ["one", "two"].map((name) => mkdtempSync(join(tmpdir(), `rea-repeats-${name}-`)));
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

const target = "/bin/ls";
const calls: readonly (readonly [string, object])[] = [
  ["binary_overview", {}],
  ["list_procedures", { limit: 200 }],
  ["list_strings", { limit: 200 }],
  ["analyze_function", { procedure: "main", include_assembly: true }],
  ["procedure_references", { procedure: "main" }],
  ["search_strings", { pattern: "usage", mode: "literal" }],
];

/** Evidence of all calls, as the bytes that a server process of its own sent. */
async function evidenceFrom(home: string): Promise<ReadonlyMap<string, string>> {
  const places = { HOME: home, XDG_CACHE_HOME: join(home, "cache"), XDG_STATE_HOME: join(home, "state"), XDG_DATA_HOME: join(home, "data") };
  const server = new JsonRpcProcess([serverMain], { env: { ...process.env, ...places } });
  try {
    await server.initialize();
    await server.call("open_binary", { path: target });
    const evidence = new Map<string, string>();
    for (const [name, input] of calls) {
      const reply = await server.call(name, input);
      expect(reply.isError, `${name}: ${JSON.stringify(reply.content)}`).not.toBe(true);
      evidence.set(name, JSON.stringify(textOf(reply)["evidence"]));
    }
    return evidence;
  } finally {
    server.child.stdin.end();
    await server.exit;
  }
}

test("two processes give the same bytes of Evidence for the same calls, and so does one that finds the analysis kept", async (ctx) => {
  if (!existsSync(target)) return ctx.skip(`${target} does not exist`);
  if (!existsSync(serverMain)) return ctx.skip("the server is not built");
  const [one = "", two = ""] = homes;
  const first = await evidenceFrom(one);
  const fresh = await evidenceFrom(two);
  const kept = await evidenceFrom(one);
  for (const [name] of calls) {
    expect(first.get(name)?.length, name).toBeGreaterThan(200);
    expect(fresh.get(name), name).toBe(first.get(name));
    expect(kept.get(name), name).toBe(first.get(name));
  }
}, 240_000);
