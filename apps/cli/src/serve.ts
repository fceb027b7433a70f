import { serveStdio } from "@rea/mcp";
import { parseCatalogue } from "@rea/tool";
import { catalogueText, engineBuild, identity } from "./identity.js";

/** `rea mcp`: the stdio server. `facade`: it lists four tools that lead to all others. */
export function serve({ facade }: { readonly facade: boolean }): Promise<number> {
  const catalogue = parseCatalogue(catalogueText());
  return serveStdio(
    { input: process.stdin, output: process.stdout, log: process.stderr },
    {
      name: "rea",
      version: identity.package_version,
      catalogue,
      facade,
      maxResponseBytes: process.env["REA_MCP_MAX_RESPONSE_BYTES"],
      onFault: (error) => process.stderr.write(`rea mcp: ${error.message}\n`),
      load: async () => {
        const { createRuntime } = await import("@rea/runtime");
        return createRuntime({ env: process.env, identity, engineBuild, catalogue });
      },
    },
  );
}
