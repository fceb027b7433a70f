import type { ClientId } from "@rea/clients";

/** A configuration as users have them: written by hand, by the client, or by another tool. */
export interface RealConfiguration {
  readonly title: string;
  readonly client: ClientId;
  readonly text: string;
}

const mark = "\uFEFF";
const other = '"command": "uvx", "args": ["other-server"], "env": { "API_KEY": "sk-secret-0" }';
const project = (count: number) => Array.from({ length: count }, (_, at) => `    "/home/u/p${String(at)}": { "allowedTools": [], "history": [{ "display": "say \\"hi\\" ${"x".repeat(400)}" }] }`).join(",\n");

/** Sorted by kind; each is planned, written, planned again and removed. */
export const realConfigurations: readonly RealConfiguration[] = [
  { title: "strict JSON with one other server", client: "claude_code", text: `{\n  "mcpServers": {\n    "other": { ${other} }\n  }\n}\n` },
  { title: "no servers yet", client: "claude_code", text: '{\n  "numStartups": 12,\n  "projects": {}\n}\n' },
  { title: "servers in the middle", client: "claude_code", text: `{\n  "a": 1,\n  "mcpServers": {\n    "other": {\n      ${other}\n    }\n  },\n  "z": true\n}` },
  { title: "an empty table of servers", client: "claude_code", text: '{\n  "mcpServers": {},\n  "z": 1\n}\n' },
  { title: "an empty table over two lines", client: "claude_code", text: '{\n  "mcpServers": {\n  }\n}\n' },
  { title: "an empty object", client: "claude_code", text: "{}" },
  { title: "an empty object and a line break", client: "claude_code", text: "{}\n" },
  { title: "an empty object over two lines", client: "claude_code", text: "{\n}\n" },
  { title: "an object with a blank in it", client: "claude_code", text: "{ }" },
  { title: "an empty file", client: "claude_code", text: "" },
  { title: "a file of blanks", client: "claude_code", text: " \n\n" },
  { title: "a file of one line break, Windows", client: "claude_code", text: "\r\n" },
  { title: "minified", client: "claude_code", text: `{"numStartups":3,"mcpServers":{"other":{"command":"x","args":["a","b"]}},"userID":"0123"}` },
  { title: "minified without servers", client: "claude_code", text: '{"numStartups":3,"userID":"0123"}' },
  { title: "minified with an empty table", client: "claude_code", text: '{"mcpServers":{}}' },
  { title: "one line with blanks", client: "claude_code", text: '{ "mcpServers": { "other": { "command": "x" } }, "b": [1, 2] }\n' },
  { title: "tabs", client: "claude_code", text: `{\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n` },
  { title: "four blanks", client: "claude_code", text: `{\n    "mcpServers": {\n        "other": {\n            "command": "x"\n        }\n    }\n}\n` },
  { title: "line breaks of Windows", client: "claude_code", text: `{\r\n  "mcpServers": {\r\n    "other": { ${other} }\r\n  }\r\n}\r\n` },
  { title: "a byte order mark", client: "claude_code", text: `${mark}{\n  "mcpServers": {\n    "other": { ${other} }\n  }\n}\n` },
  { title: "a byte order mark and nothing else", client: "claude_code", text: mark },
  { title: "no line break at the end", client: "claude_desktop", text: `{\n  "mcpServers": {\n    "other": { ${other} }\n  }\n}` },
  { title: "an indented root", client: "claude_desktop", text: '  {\n    "mcpServers": {\n      "other": { "command": "x" }\n    }\n  }\n' },
  { title: "braces on lines of their own", client: "claude_desktop", text: '{\n  "mcpServers":\n  {\n    "other":\n    {\n      "command": "x"\n    }\n  }\n}\n' },
  { title: "a comma at the beginning of lines", client: "claude_desktop", text: '{\n    "a": 1\n  , "mcpServers": {\n        "one": { "command": "x" }\n      , "two": { "command": "y" }\n    }\n}\n' },
  { title: "names that look like ours", client: "claude_desktop", text: '{\n  "mcpservers": { "rea": { "command": "wrong case" } },\n  "mcpServers": { "rea2": { "command": "x" }, "x": { "rea": 1 } }\n}\n' },
  { title: "escapes in names and texts", client: "claude_desktop", text: '{\n  "mcp\\u0053ervers": {\n    "o\\"t{her}": { "command": "C:\\\\x\\\\y.exe", "args": ["{", "}", ",", "//no", "/*no*/"] }\n  }\n}\n' },
  { title: "characters beyond the basic plane", client: "claude_desktop", text: '{\n  "mcpServers": {\n    "😀 é": { "command": "日本" }\n  }\n}\n' },
  { title: "a large state file", client: "claude_code", text: `{\n  "numStartups": 4,\n  "projects": {\n${project(12_000)}\n  },\n  "mcpServers": {\n    "other": { ${other} }\n  }\n}\n` },
  { title: "deep nesting elsewhere", client: "claude_code", text: `{\n  "deep": ${"[".repeat(1000)}${"]".repeat(1000)},\n  "mcpServers": {}\n}\n` },
  { title: "a member named __proto__", client: "claude_code", text: '{\n  "__proto__": { "polluted": true },\n  "mcpServers": { "__proto__": { "command": "x" } }\n}\n' },
  { title: "comments everywhere", client: "cursor", text: `// my servers\n{\n  // before\n  "mcpServers": {\n    /* one */ "other": { ${other} } // why\n    // after the last\n  } /* end */\n}\n// tail` },
  { title: "comments in an empty table", client: "cursor", text: '{\n  "mcpServers": {\n    // nothing yet\n  }\n}\n' },
  { title: "a trailing comma", client: "cursor", text: '{\n  "mcpServers": {\n    "other": { "command": "x", },\n  },\n}\n' },
  { title: "a trailing comma and a comment", client: "cursor", text: '{\n  "mcpServers": {\n    "other": { "command": "x" }, // keep\n  }, // and this\n}\n' },
  { title: "a trailing comma on one line", client: "cursor", text: '{ "mcpServers": { "other": { "command": "x" }, }, }\n' },
  { title: "settings with comments", client: "gemini_cli", text: '{\n  "security": { "auth": { "selectedType": "oauth-personal" } }, // auth\n  "theme": "GitHub"\n}\n' },
  { title: "settings with a server that trusts", client: "gemini_cli", text: '{\n  "mcpServers": {\n    "db": { "command": "node", "args": ["db.js"], "trust": true, "timeout": 5000 }\n  }\n}\n' },
  { title: "servers and inputs", client: "vscode", text: '{\n\t"inputs": [\n\t\t{ "type": "promptString", "id": "key", "password": true }\n\t],\n\t"servers": {\n\t\t"gh": { "type": "http", "url": "https://example.org/mcp" }\n\t}\n}\n' },
  { title: "servers with a trailing comma", client: "vscode", text: '{\n\t"servers": {\n\t\t"gh": { "type": "http", "url": "https://example.org/mcp" },\n\t},\n}' },
  { title: "a schema and agents", client: "opencode", text: '{\n  "$schema": "https://opencode.ai/config.json",\n  "theme": "system",\n  "mcp": {\n    "ctx": { "type": "remote", "url": "https://example.org", "enabled": false }\n  }\n}\n' },
  { title: "JSON with comments and no servers", client: "opencode", text: '{\n  // colours\n  "theme": "system", // mine\n}\n' },
  { title: "local servers", client: "copilot_cli", text: '{\n  "mcpServers": {\n    "a": { "type": "local", "command": "x", "args": [], "tools": ["*"] }\n  }\n}' },
  { title: "a remote server", client: "windsurf", text: '{\n  "mcpServers": {\n    "a": { "serverUrl": "https://example.org/sse" }\n  }\n}\n' },
  { title: "TOML with comments and two servers", client: "codex", text: '# mine\nmodel = "o9" # the best\n\n[mcp_servers.one]\ncommand = "x" # why\nargs = [\n  "a", # first\n  "b",\n]\n\n[mcp_servers.two]\ncommand = "y"\n\n[mcp_servers.two.env]\nTOKEN = "t0"\n\n# the end\n' },
  { title: "TOML without servers", client: "codex", text: 'model = "o9"\n' },
  { title: "TOML without a line break at the end", client: "codex", text: 'model = "o9"\n[tui]\ntheme = "dark"' },
  { title: "TOML with an empty line at the end", client: "codex", text: 'model = "o9"\n\n' },
  { title: "TOML with blanks in the last line", client: "codex", text: 'model = "o9"\n  ' },
  { title: "an empty TOML", client: "codex", text: "" },
  { title: "TOML of comments only", client: "codex", text: "# nothing here\n# yet\n" },
  { title: "dotted keys at the root", client: "codex", text: 'model = "o9"\nmcp_servers.one.command = "x"\nmcp_servers.one.args = ["a"] # a\n\n[tui]\ntheme = "dark"\n' },
  { title: "dotted keys at the end, no line break", client: "codex", text: 'mcp_servers.one.command = "x"' },
  { title: "dotted keys in a table", client: "codex", text: '[mcp_servers]\none.command = "x"\none.env.A = "b"\n\n[history]\npersistence = "none"\n' },
  { title: "an inline table of servers", client: "codex", text: 'mcp_servers = { one = { command = "x", args = ["a", "b"] } } # all\nmodel = "o9"\n' },
  { title: "an empty inline table", client: "codex", text: "mcp_servers = {}\n" },
  { title: "inline servers in a table", client: "codex", text: '[mcp_servers]\none = { command = "x" }\ntwo = { command = "y" } # z\n' },
  { title: "quoted keys", client: "codex", text: '["mcp_servers"."o.n.e"]\n"command" = \'C:\\x\'\n[ mcp_servers . \'two\' ]\ncommand="y"\n' },
  { title: "TOML with line breaks of Windows", client: "codex", text: 'model = "o9"\r\n\r\n[mcp_servers.one]\r\ncommand = "x"\r\n' },
  { title: "TOML with a byte order mark", client: "codex", text: `${mark}model = "o9"\n` },
  { title: "TOML with texts of several lines", client: "codex", text: 'notes = """\n[mcp_servers.rea]\ncommand = "no" \\\n  """\nraw = \'\'\'\n# no comment \'\'\'\n[mcp_servers.one]\ncommand = "x"\n' },
  { title: "TOML with dates, floats and large numbers", client: "codex", text: "d = 1979-05-27 07:32:00 # a blank in it\nf = 6.626e-34\nn = nan\ni = 9223372036854775807\nh = 0xDEAD_BEEF\n" },
  { title: "TOML with arrays of tables", client: "codex", text: '[[hooks]]\nname = "a"\n[hooks.run]\ncommand = "x"\n[[hooks]]\nname = "b"\n' },
  { title: "TOML with projects and trust", client: "codex", text: '[projects."/home/u/it\'s"]\ntrust_level = "trusted"\n\n[projects."/home/u/q\\"x"]\ntrust_level = "untrusted"\n' },
];
