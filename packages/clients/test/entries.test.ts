import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { blockers, planSetup, type ClientId } from "@rea/clients";
import { expect, test } from "vitest";
import { bytesOf, configOf, emptyHome, hostIn, installation, put, setUp, stateOf, uninstall } from "./support.js";

const textOf = (path: string) => bytesOf(path)?.toString("utf8");

function planOf(text: string | Buffer, client: ClientId, env = {}) {
  const host = hostIn(emptyHome(), env);
  const path = configOf(client, host);
  put(path, text);
  const plan = planSetup({ clients: [client], skill: null, installHopper: false }, { host, installation });
  const [found] = plan.clients;
  if (found === undefined) throw new Error("no plan");
  return { host, path, plan, found };
}

function updated(text: string, client: ClientId, env = {}): string | undefined {
  const host = hostIn(emptyHome(), env);
  const path = configOf(client, host);
  put(path, text);
  expect(stateOf(setUp(host, [client]), client)).toBe("done");
  expect(stateOf(setUp(host, [client]), client)).toBe("unchanged");
  return textOf(path);
}

test("an entry of another version is brought up to date, and what a user added to it stays", () => {
  const before = '{\n  "mcpServers": {\n    "rea": {\n      "command": "npx",\n      "args": ["-y", "@rea/cli@0.9.0", "mcp", "--facade"], // small\n      "disabled": true,\n      "env": { "MINE": "1" }\n    },\n    "z": { "command": "z" }\n  }\n}\n';
  expect(updated(before, "cursor")).toBe(
    '{\n  "mcpServers": {\n    "rea": {\n      "command": "/usr/bin/node",\n      "args": ["/opt/rea/apps/cli/dist/main.js", "mcp", "--facade"], // small\n      "disabled": true,\n      "env": { "MINE": "1" }\n    },\n    "z": { "command": "z" }\n  }\n}\n',
  );
});

test("the same in TOML: as a table, inline, and in dotted keys", () => {
  expect(updated('[mcp_servers.rea] # mine\ncommand = "npx" # c\nargs = ["-y", "@rea/cli", "mcp"]\nenabled = false\n\n[mcp_servers.rea.env]\nMINE = "1"\n', "codex")).toBe(
    '[mcp_servers.rea] # mine\ncommand = "/usr/bin/node" # c\nargs = ["/opt/rea/apps/cli/dist/main.js", "mcp"]\nenabled = false\nstartup_timeout_sec = 30\n\n[mcp_servers.rea.env]\nMINE = "1"\n',
  );
  expect(updated('[mcp_servers]\nrea = { command = "npx", args = ["-y", "@rea/cli@0.1.0", "mcp"], startup_timeout_sec = 10 } # c\n', "codex")).toBe(
    '[mcp_servers]\nrea = { command = "/usr/bin/node", args = ["/opt/rea/apps/cli/dist/main.js", "mcp"], startup_timeout_sec = 30 } # c\n',
  );
  expect(updated('mcp_servers.rea.command = "npx"\nmcp_servers.rea.args = ["-y", "@rea/cli@0.1.0", "mcp"]\n[tui]\n', "codex")).toBe(
    'mcp_servers.rea.command = "/usr/bin/node"\nmcp_servers.rea.args = ["/opt/rea/apps/cli/dist/main.js", "mcp"]\nmcp_servers.rea.startup_timeout_sec = 30\n[tui]\n',
  );
});

test("settings that are set now are passed on, sorted, and those that are no longer set are not", () => {
  const host = hostIn(emptyHome(), { JAVA_HOME: "/opt/java", GHIDRA_INSTALL_DIR: "/opt/ghidra", REA_LOG_LEVEL: "debug", SECRET: "s" });
  setUp(host, ["codex", "claude_code"]);
  expect(textOf(configOf("codex", host))).toContain('env = { GHIDRA_INSTALL_DIR = "/opt/ghidra", JAVA_HOME = "/opt/java" }');
  const parsed: unknown = JSON.parse(textOf(configOf("claude_code", host)) ?? "");
  expect(parsed).toMatchObject({ mcpServers: { rea: { env: { GHIDRA_INSTALL_DIR: "/opt/ghidra", JAVA_HOME: "/opt/java" } } } });
  expect(JSON.stringify(parsed)).not.toContain("debug");
  const without = { ...host, env: {} };
  setUp(without, ["codex", "claude_code"]);
  expect(textOf(configOf("codex", host))).not.toContain("env");
  expect(textOf(configOf("claude_code", host))).not.toContain("env");
});

test("each client's entry has the shape that its client reads", () => {
  const host = hostIn(emptyHome());
  setUp(host, ["opencode", "vscode", "copilot_cli"]);
  const read = (client: ClientId): unknown => JSON.parse(textOf(configOf(client, host)) ?? "");
  expect(read("opencode")).toEqual({ mcp: { rea: { type: "local", enabled: true, command: ["/usr/bin/node", "/opt/rea/apps/cli/dist/main.js", "mcp"] } } });
  expect(read("vscode")).toEqual({ servers: { rea: { type: "stdio", command: "/usr/bin/node", args: ["/opt/rea/apps/cli/dist/main.js", "mcp"] } } });
  expect(read("copilot_cli")).toMatchObject({ mcpServers: { rea: { type: "local", tools: ["*"] } } });
});

test("a published installation is started through npx, on Windows through the command interpreter", () => {
  const host = hostIn(emptyHome());
  setUp(host, ["claude_code"], { published: true });
  expect(textOf(configOf("claude_code", host))).toContain('"@rea/cli@1.2.3"');
  const windows = { ...hostIn(emptyHome(), { APPDATA: "" }), platform: "win32" as const };
  const plan = planSetup({ clients: ["cursor"], skill: null, installHopper: false }, { host: windows, installation: { ...installation, published: true } });
  const [client] = plan.clients;
  expect(client?.state === "change" ? Buffer.from(client.file.after ?? []).toString() : "").toMatch(/"cmd",[\s\S]*"\/c",[\s\S]*"npx"/);
});

const foreign: readonly (readonly [ClientId, string])[] = [
  ["claude_code", '{ "mcpServers": { "rea": { "command": "/opt/other/rea-thing", "args": [] } } }'],
  ["claude_code", '{ "mcpServers": { "rea": { "url": "https://example.org/mcp" } } }'],
  ["claude_code", '{ "mcpServers": { "rea": "text" } }'],
  ["codex", '[mcp_servers.rea]\nurl = "https://example.org"\n'],
  ["opencode", '{ "mcp": { "rea": { "type": "local", "command": ["docker", "run", "rea"] } } }'],
];
for (const [client, text] of foreign) {
  test(`an entry rea that is not REA's is left alone: ${text.slice(0, 70)}`, () => {
    const { host, path, found } = planOf(text, client);
    expect(found).toMatchObject({ state: "skipped", reason: "foreign_entry" });
    expect(found.state === "skipped" ? found.why : "").toMatch(/entry rea in line \d+ .*Rename or remove it/);
    expect(stateOf(uninstall(host), client)).toBe("skipped");
    expect(textOf(path)).toBe(text);
  });
}

const malformed: readonly (readonly [ClientId, string | Buffer, string])[] = [
  ["claude_code", '{\n  "mcpServers": {\n    "a": { "command": "x" }\n    "b": {}\n  }\n}\n', ":4:5: a comma or a closing bracket is expected here"],
  ["claude_code", '{\n  "mcpServers": [],\n}\n', ":2:19: a comma stands before the closing bracket"],
  ["claude_code", '{\n  "mcpServers": [1]\n}\n', ":2:17: the value of mcpServers is not an object"],
  ["claude_code", "{\n  // no\n}\n", ":2:3: a comment stands here, which this client does not read"],
  ["claude_code", "[]", ":1:1: the file does not hold an object"],
  ["claude_code", '{ "a": 1 } x', ":1:12: "],
  ["claude_code", '{ "a": ', ":1:8: the file ends before the closing }"],
  ["claude_code", '{ "a": "x\n" }', ":1:10: a control character stands in quotes"],
  ["claude_code", '{ "a": "\\x" }', ":1:9: this escape is unknown"],
  ["claude_code", '{ "a": 01 }', ":1:9: a comma or a closing bracket is expected here"],
  ["claude_code", '{ "mcpServers": {}, "mcpServers": {} }', ":1:21: the member mcpServers stands here a second time"],
  ["claude_code", '{ "mcpServers": { "rea": {}, "rea": {} } }', ":1:30: the entry rea stands here a second time"],
  ["claude_code", Buffer.from([0x7b, 0x0a, 0x22, 0xe9, 0x22]), ":2:2: the file is not valid UTF-8"],
  ["claude_code", Buffer.from("{}", "utf16le").subarray(0), ":1:2"],
  ["claude_code", Buffer.from([0xff, 0xfe, 0x7b, 0x00]), ":1:1: the file is UTF-16"],
  ["cursor", '{ "a": 1 /* open', ":1:10: this comment is not closed"],
  ["gemini_cli", "\uFEFF{}", ":1:1: the file begins with a byte order mark"],
  ["codex", '[mcp_servers.one]\ncommand = x"\n', ":2:11: the file is not valid TOML here"],
  ["codex", "[a]\nb = 1\n[a]\n", ":3:"],
  ["codex", 'mcp_servers = "x"\n', ":1:1: mcp_servers is not a table"],
  ["codex", "[[mcp_servers]]\n", ":1:1: mcp_servers is not a table"],
];
for (const [client, text, where] of malformed) {
  test(`a malformed configuration of ${client} blocks everything and is told with its place: ${where}`, () => {
    const { plan, found, path } = planOf(text, client);
    expect(found.state).toBe("blocked");
    const [why = ""] = blockers(plan);
    expect(why).toContain(`${path}${where}`);
    expect(why).toContain("Correct it and run the command again.");
  });
}

test("hundred thousand open brackets are a malformed file, and as many closed ones none", () => {
  expect(planOf("[".repeat(100_000), "claude_code").found).toMatchObject({ state: "blocked", reason: "malformed" });
  expect(planOf(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "claude_code").found.state).toBe("change");
});

test("a link is followed and stays; its target is written in place of the link", () => {
  const host = hostIn(emptyHome());
  const target = join(host.home, "dotfiles", "codex.toml");
  put(target, 'model = "o9"\n');
  const path = configOf("codex", host);
  mkdirSync(join(host.home, ".codex"));
  symlinkSync(join("..", "dotfiles", "codex.toml"), path);
  expect(stateOf(setUp(host, ["codex"]), "codex")).toBe("done");
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readlinkSync(path)).toBe(join("..", "dotfiles", "codex.toml"));
  expect(lstatSync(target).isSymbolicLink()).toBe(false);
  expect(textOf(target)).toContain("[mcp_servers.rea]");
  expect(textOf(`${path}.rea.backup`)).toBe('model = "o9"\n');
  uninstall(host);
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(textOf(target)).toBe('model = "o9"\n');
});

test("a link to nothing, a circle of links, a directory and a read-only file are refused in words", () => {
  const host = hostIn(emptyHome());
  const why = (client: ClientId) => planSetup({ clients: [client], skill: null, installHopper: false }, { host, installation }).clients[0];
  mkdirSync(join(host.home, ".codex"));
  symlinkSync("nowhere", configOf("codex", host));
  expect(why("codex")).toMatchObject({ state: "blocked", reason: "file", why: expect.stringContaining("link to nothing") });
  mkdirSync(join(host.home, ".gemini"));
  symlinkSync("settings.json", configOf("gemini_cli", host));
  expect(why("gemini_cli")).toMatchObject({ state: "blocked", why: expect.stringContaining("circle") });
  mkdirSync(configOf("cursor", host), { recursive: true });
  expect(why("cursor")).toMatchObject({ state: "blocked", why: expect.stringContaining("no regular file") });
  put(configOf("windsurf", host), "{}");
  chmodSync(configOf("windsurf", host), 0o400);
  expect(why("windsurf")).toMatchObject({ state: "blocked", why: expect.stringContaining("chmod u+w") });
});

test("a file of another user and a link of another user are refused", (context) => {
  if (process.getuid?.() !== 0) return context.skip("only root can give files away");
  const host = hostIn(emptyHome());
  put(configOf("claude_code", host), "{}");
  chownSync(configOf("claude_code", host), 12345, 12345);
  const target = join(host.home, "theirs.toml");
  put(target, "");
  chownSync(target, 12345, 12345);
  mkdirSync(join(host.home, ".codex"));
  symlinkSync(target, configOf("codex", host));
  const { clients } = planSetup({ clients: ["claude_code", "codex"], skill: null, installHopper: false }, { host, installation });
  expect(clients[0]).toMatchObject({ state: "blocked", why: expect.stringContaining("belongs to another user") });
  expect(clients[1]).toMatchObject({ state: "blocked", why: expect.stringContaining("file of another user") });
});

test("the first backup stays", () => {
  const host = hostIn(emptyHome());
  const path = configOf("claude_code", host);
  put(path, '{"first":1}');
  setUp(host, ["claude_code"]);
  uninstall(host);
  put(path, '{"second":2}');
  setUp(host, ["claude_code"]);
  expect(textOf(`${path}.rea.backup`)).toBe('{"first":1}');
  uninstall(host);
  expect(textOf(path)).toBe('{"second":2}');
});

test("what a client wrote after setup stays when REA goes", () => {
  const host = hostIn(emptyHome());
  const path = configOf("claude_code", host);
  put(path, '{\n  "numStartups": 1\n}\n');
  setUp(host, ["claude_code"]);
  put(path, (textOf(path) ?? "").replace('"numStartups": 1', '"numStartups": 2,\n  "tips": {}'));
  uninstall(host);
  expect(textOf(path)).toBe('{\n  "numStartups": 2,\n  "tips": {}\n}\n');
});

test("a plan shows what changes and blots out what other entries hold", () => {
  const { found } = planOf('{\n  "mcpServers": {\n    "other": { "command": "x", "env": { "KEY": "sk-secret-0" } } // token t0k\n  }\n}\n', "cursor");
  const diff = found.state === "change" ? found.file.diff : "";
  expect(diff).toContain('+    "rea": {');
  expect(diff).toContain("+        \"/opt/rea/apps/cli/dist/main.js\",");
  expect(diff).not.toMatch(/sk-secret|t0k/);
  expect(existsSync(found.path)).toBe(true);
});

const name = fc.stringMatching(/^[a-zA-Z0-9_. "\\é😀-]{1,12}$/);
const json = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(tie("value"), { maxLength: 3 }), tie("object")),
  object: fc.dictionary(name, tie("value"), { maxKeys: 4 }),
})).object;

test("any object in any layout is set up, found unchanged, and restored byte for byte", () => {
  fc.assert(
    fc.property(json, fc.option(fc.dictionary(name, fc.record({ command: fc.string() }), { maxKeys: 3 }), { nil: undefined }), fc.constantFrom(undefined, 1, 2, 4, "\t"), fc.constantFrom("\n", "\r\n"), (others, servers, indent, lineBreak) => {
      const data = servers === undefined ? others : { ...others, mcpServers: Object.fromEntries(Object.entries(servers).filter(([key]) => key !== "rea")) };
      if (servers === undefined && "mcpServers" in others) return;
      const text = JSON.stringify(data, null, indent).replaceAll("\n", lineBreak);
      const host = hostIn(emptyHome());
      const path = configOf("claude_code", host);
      put(path, text);
      expect(stateOf(setUp(host, ["claude_code"]), "claude_code")).toBe("done");
      expect(stateOf(setUp(host, ["claude_code"]), "claude_code")).toBe("unchanged");
      uninstall(host);
      expect(textOf(path)).toBe(text);
    }),
    { numRuns: 60 },
  );
});
