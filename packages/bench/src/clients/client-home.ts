import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Directories by which clients are found. */
const markers = [".claude", ".codex", ".copilot", ".cursor", ".gemini", ".codeium/windsurf", ".config/Claude", ".config/Code/User", ".config/opencode"];

/** A home directory of its own with every client in it; `remove` takes it away. */
export function clientHome(): { readonly path: string; readonly env: NodeJS.ProcessEnv; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "rea-client-home-"));
  for (const marker of markers) mkdirSync(join(path, marker), { recursive: true });
  const { XDG_CONFIG_HOME: _config, CODEX_HOME: _codex, CLAUDE_CONFIG_DIR: _claude, ...others } = process.env;
  return { path, env: { ...others, HOME: path, NO_COLOR: "1" }, remove: () => { rmSync(path, { recursive: true, force: true }); } };
}

/** A state file of five megabytes, as years of use leave it. */
export function writeLargeState(home: string): void {
  const projects = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`/home/user/project-${String(at)}`, { history: [{ display: "x".repeat(1100) }], allowedTools: [] }]));
  writeFileSync(join(home, ".claude.json"), `${JSON.stringify({ numStartups: 900, projects, mcpServers: { other: { command: "uvx", args: ["other"] } } }, null, 2)}\n`);
}
