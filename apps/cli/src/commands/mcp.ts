import type { CommandModule } from "yargs";
import type { Finish } from "../finish.js";

/** `rea mcp`: main starts the server before this is ever reached; here for help and completion. */
export function mcpCommand(finish: Finish): CommandModule {
  return {
    command: "mcp",
    describe: "Start the MCP server on standard input and output.",
    handler: async () => {
      const { serve } = await import("../serve.js");
      finish(await serve());
    },
  };
}
