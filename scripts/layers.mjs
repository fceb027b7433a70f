// The one place that says who may import whom. The boundary rules and their test are generated from it.

/** Lowest first. A package imports from layers below its own, never from its own or from above. */
export const layers = [
  ["packages/core"],
  ["packages/tool", "packages/provider", "packages/lineage", "packages/binary"],
  ["packages/artifact", "packages/compare"],
  [
    "packages/engine",
    "packages/provider-hopper",
    "packages/provider-ghidra",
    "packages/capture",
    "packages/cdp",
    "packages/javascript",
  ],
  ["packages/tools", "packages/report"],
  ["packages/runtime", "packages/mcp"],
  ["packages/clients"],
  ["apps/cli", "apps/mcp-server"],
];

/** The catalog reaches power through capability ports, so it sees less than its layer would allow. */
export const narrowed = {
  "packages/tools": ["packages/core", "packages/tool", "packages/compare"],
  "packages/mcp": ["packages/core", "packages/tool"],
};

/** For tests, documentation and measurements; product code never imports them. */
export const development = ["packages/testkit", "packages/docgen", "packages/bench"];

/** A third-party library is imported in its home package only; the others ask that package. */
export const homes = {
  "packages/core": ["zod", "canonicalize"],
  "packages/lineage": ["execa", "@lydell/node-pty"],
  "packages/binary": ["plist"],
  "packages/artifact": ["tar-stream"],
  "packages/compare": ["diff"],
  "packages/capture": ["@xterm/headless", "re2js", "ws"],
  "packages/engine": ["iced-x86", "@alexaltea/capstone-js", "re2js"],
  "packages/cdp": ["chrome-remote-interface", "devtools-protocol", "ws", "fast-png"],
  "packages/javascript": ["acorn", "@babel/parser", "@jridgewell/trace-mapping", "parse5"],
  "packages/clients": ["@iarna/toml", "jsonc-parser"],
  "packages/report": ["@dagrejs/dagre"],
  "packages/runtime": ["pino"],
  "packages/mcp": ["@modelcontextprotocol/sdk"],
  "apps/cli": ["yargs"],
};

/** The only package that may start a process. */
export const processHome = "packages/lineage";

/** Node modules that compute and never touch the outside; all that `core` may use. */
export const pureNodeModules = ["assert", "buffer", "crypto", "string_decoder", "util"];
