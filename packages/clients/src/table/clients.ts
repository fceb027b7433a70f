import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { setting, type ClientHost } from "./client-host.js";

export const clientIds = [
  "claude_code",
  "claude_desktop",
  "codex",
  "copilot_cli",
  "cursor",
  "devin",
  "gemini_cli",
  "opencode",
  "vscode",
  "windsurf",
] as const;
export type ClientId = (typeof clientIds)[number];

/** How a client writes one server down. */
export type EntryShape =
  /** `command` and `args`, with `env` beside them. */
  | { readonly kind: "command_args"; readonly fixed: { readonly [key: string]: string | readonly string[] }; readonly timeout_key?: "startup_timeout_sec" }
  /** One array `command`, with `environment` beside it. */
  | { readonly kind: "command_array"; readonly fixed: { readonly [key: string]: string | boolean } };

/** Where the servers stand in a client's file, and what its reader accepts. */
export interface ConfigFormat {
  readonly syntax: "json" | "toml";
  /** Key of the table of servers at the root. */
  readonly container: string;
  /** The client's own reader takes comments. */
  readonly comments: boolean;
  /** The client's own reader takes a comma after the last member. */
  readonly trailingCommas: boolean;
  /** The client's own reader takes a byte order mark. */
  readonly byteOrderMark: boolean;
  readonly shape: EntryShape;
}

/** One MCP client. The table below is the only place that knows clients; everything else reads it. */
export interface Client {
  readonly id: ClientId;
  /** As its makers call it. */
  readonly label: string;
  /** Directory whose presence says that the client is used here. */
  marker(host: ClientHost): string;
  /** The user's configuration file. Null: the client is reported, never written. */
  readonly config: (ConfigFormat & { file(host: ClientHost): string }) | null;
  /** Time the client gives a server to answer `initialize`, in milliseconds, when its configuration says nothing else. */
  readonly startTimeoutMs: number;
  /** Names of its processes, to say that a running client must be restarted. */
  readonly processes: readonly string[];
  /** The model makers whose schema rules tools meet through it. */
  readonly models: readonly ("openai" | "gemini" | "anthropic" | "moonshot")[];
}

const commandArgs = { kind: "command_args", fixed: {} } as const satisfies EntryShape;
const strictServers = { syntax: "json", container: "mcpServers", comments: false, trailingCommas: false, byteOrderMark: true, shape: commandArgs } as const;
const everyModel = ["anthropic", "gemini", "moonshot", "openai"] as const;

/** Sorted by id. */
export const clients: readonly Client[] = [
  {
    id: "claude_code",
    label: "Claude Code",
    marker: (host) => setting(host.env, "CLAUDE_CONFIG_DIR") ?? join(host.home, ".claude"),
    config: { ...strictServers, file: (host) => join(setting(host.env, "CLAUDE_CONFIG_DIR") ?? host.home, ".claude.json") },
    startTimeoutMs: 30_000,
    processes: ["claude"],
    models: ["anthropic"],
  },
  {
    id: "claude_desktop",
    label: "Claude Desktop",
    marker: (host) => join(platformConfig(host), "Claude"),
    config: { ...strictServers, file: (host) => join(platformConfig(host), "Claude", "claude_desktop_config.json") },
    startTimeoutMs: 60_000,
    processes: ["Claude", "claude-desktop"],
    models: ["anthropic"],
  },
  {
    id: "codex",
    label: "Codex",
    marker: codexHome,
    config: {
      syntax: "toml",
      container: "mcp_servers",
      comments: true,
      trailingCommas: true,
      byteOrderMark: true,
      shape: { kind: "command_args", fixed: {}, timeout_key: "startup_timeout_sec" },
      file: (host) => join(codexHome(host), "config.toml"),
    },
    startTimeoutMs: 10_000,
    processes: ["codex"],
    models: ["openai"],
  },
  {
    id: "copilot_cli",
    label: "GitHub Copilot CLI",
    marker: (host) => join(host.home, ".copilot"),
    config: {
      ...strictServers,
      shape: { kind: "command_args", fixed: { type: "local", tools: ["*"] } },
      file: (host) => join(host.home, ".copilot", "mcp-config.json"),
    },
    startTimeoutMs: 60_000,
    processes: ["copilot"],
    models: everyModel,
  },
  {
    id: "cursor",
    label: "Cursor",
    marker: (host) => join(host.home, ".cursor"),
    config: { ...strictServers, comments: true, trailingCommas: true, file: (host) => join(host.home, ".cursor", "mcp.json") },
    startTimeoutMs: 60_000,
    processes: ["cursor", "Cursor"],
    models: everyModel,
  },
  {
    id: "devin",
    label: "Devin",
    marker: (host) => join(host.home, ".devin"),
    config: null,
    startTimeoutMs: 60_000,
    processes: ["devin"],
    models: everyModel,
  },
  {
    id: "gemini_cli",
    label: "Gemini CLI",
    marker: geminiHome,
    config: { ...strictServers, comments: true, byteOrderMark: false, file: (host) => join(geminiHome(host), "settings.json") },
    startTimeoutMs: 600_000,
    processes: ["gemini"],
    models: ["gemini"],
  },
  {
    id: "opencode",
    label: "opencode",
    marker: opencodeHome,
    config: {
      syntax: "json",
      container: "mcp",
      comments: true,
      trailingCommas: true,
      byteOrderMark: true,
      shape: { kind: "command_array", fixed: { type: "local", enabled: true } },
      file: opencodeFile,
    },
    startTimeoutMs: 5_000,
    processes: ["opencode"],
    models: everyModel,
  },
  {
    id: "vscode",
    label: "Visual Studio Code",
    marker: (host) => join(platformConfig(host), "Code", "User"),
    config: {
      syntax: "json",
      container: "servers",
      comments: true,
      trailingCommas: true,
      byteOrderMark: true,
      shape: { kind: "command_args", fixed: { type: "stdio" } },
      file: (host) => join(platformConfig(host), "Code", "User", "mcp.json"),
    },
    startTimeoutMs: 60_000,
    processes: ["code"],
    models: everyModel,
  },
  {
    id: "windsurf",
    label: "Windsurf",
    marker: (host) => join(host.home, ".codeium", "windsurf"),
    config: { ...strictServers, comments: true, trailingCommas: true, file: (host) => join(host.home, ".codeium", "windsurf", "mcp_config.json") },
    startTimeoutMs: 60_000,
    processes: ["windsurf"],
    models: everyModel,
  },
];

export function clientById(id: ClientId): Client {
  const found = clients.find((client) => client.id === id);
  if (found === undefined) throw new Error(`the table of clients lacks ${id}`);
  return found;
}

function codexHome(host: ClientHost): string {
  return setting(host.env, "CODEX_HOME") ?? join(host.home, ".codex");
}

/** The variable replaces the home directory, not the directory in it. */
function geminiHome(host: ClientHost): string {
  return join(setting(host.env, "GEMINI_CLI_HOME") ?? host.home, ".gemini");
}

function opencodeHome(host: ClientHost): string {
  return setting(host.env, "OPENCODE_CONFIG_DIR") ?? join(configHome(host), "opencode");
}

/** A file named outright wins; then the one that is there, with comments before without. */
function opencodeFile(host: ClientHost): string {
  const named = setting(host.env, "OPENCODE_CONFIG");
  if (named !== undefined) return named;
  const withComments = join(opencodeHome(host), "opencode.jsonc");
  const plain = join(opencodeHome(host), "opencode.json");
  return existsSync(withComments) && !existsSync(plain) ? withComments : plain;
}

/** Only an absolute `XDG_CONFIG_HOME` counts, as its specification says. */
function configHome(host: ClientHost): string {
  const named = setting(host.env, "XDG_CONFIG_HOME");
  return named !== undefined && isAbsolute(named) ? named : join(host.home, ".config");
}

/** Where applications of a desktop keep their configuration. */
function platformConfig(host: ClientHost): string {
  if (host.platform === "darwin") return join(host.home, "Library", "Application Support");
  if (host.platform === "win32") return setting(host.env, "APPDATA") ?? join(host.home, "AppData", "Roaming");
  return configHome(host);
}
