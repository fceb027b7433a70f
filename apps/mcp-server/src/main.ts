import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serveStdio } from "@rea/mcp";

const identity = {
  package_name: "@rea/mcp-server",
  package_version: process.env.REA_PACKAGE_VERSION ?? "0.0.0",
  server_path: process.argv[1] ?? fileURLToPath(import.meta.url),
};

/** Written by the build beside this file; the array that `tools/list` answers with. */
const catalogue = JSON.parse(readFileSync(new URL("./catalogue.json", import.meta.url), "utf8"));

process.exit(
  await serveStdio({
    name: "rea",
    version: identity.package_version,
    catalogue,
    maxResponseBytes: process.env["REA_MCP_MAX_RESPONSE_BYTES"],
    load: async () => {
      const { createRuntime } = await import("@rea/runtime");
      return createRuntime({ env: process.env, identity, catalogue });
    },
  }),
);
