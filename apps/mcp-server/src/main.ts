import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serveStdio } from "@rea/mcp";
import { parseCatalogue } from "@rea/tool";

const identity = {
  package_name: "@rea/mcp-server",
  package_version: process.env.REA_PACKAGE_VERSION ?? "0.0.0",
  server_path: process.argv[1] ?? fileURLToPath(import.meta.url),
};
const catalogue = parseCatalogue(readFileSync(new URL("./catalogue.json", import.meta.url), "utf8"));

const status = await serveStdio(
  { input: process.stdin, output: process.stdout, log: process.stderr },
  {
    name: "rea",
    version: identity.package_version,
    catalogue,
    facade: process.argv.slice(2).includes("--facade"),
    maxResponseBytes: process.env["REA_MCP_MAX_RESPONSE_BYTES"],
    onFault: (error) => process.stderr.write(`rea-mcp: ${error.message}\n`),
    load: async () => {
      const { createRuntime } = await import("@rea/runtime");
      return createRuntime({ env: process.env, identity, engineBuild: process.env.REA_ENGINE_BUILD, catalogue });
    },
  },
);
process.exit(status);
