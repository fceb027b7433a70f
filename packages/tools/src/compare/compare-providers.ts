import { pageInput, providerComparisonSchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { executableFile } from "../targets.js";

export const compareProviders = defineTool({
  family: "session",
  evidence: true,
  target: executableFile,
  name: "compare_providers",
  description:
    "Has two to four analysis providers analyse the same program and compares what they say by address: functions, names, strings, calls. Says how far they agree, what one alone reports, and where they contradict each other. Starts engines of its own and leaves the session's binding alone. Ids are in binary_session. Next: analyze_function at a contradiction.",
  input: z.strictObject({
    path: z.string().min(1).max(4096).optional().describe("Absolute path of the program; default the open target"),
    providers: z.array(z.string().regex(/^[a-z][a-z0-9-]{0,62}[a-z0-9]$/)).min(2).max(4).describe("Provider ids, all different"),
    ...pageInput(500, 100),
  }),
  output: providerComparisonSchema,
  effects: effectClasses.engineEvidence,
  requires: ["providers"],
  paths: ["path"],
  cli: { command: "compare-providers", target: "input", positionals: [] },
  examples: [{ title: "The embedded engine against Ghidra", target: "executable", input: { providers: ["ghidra", "rea-native"] } }],
  run: async (input, { providers }, context) => {
    const { result, ...produced } = await providers.compare(input, context);
    return { result, produced };
  },
});
