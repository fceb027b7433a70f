import { type JsonObject } from "@rea/core";

const text = { type: "string" } as const;

/**
 * What `tools/list` answers in facade mode: four flat tools, under 2 KB in all, for models that refuse or drown in long
 * lists. Written down here rather than projected, so that the server starts without the schema library; a test compares it
 * with the tools.
 */
export const facadeCatalogue: readonly JsonObject[] = [
  {
    name: "binary_session",
    description: "What is open, and each tool's availability with reason and remedy. Call it first.",
    inputSchema: {
      type: "object",
      properties: { expected_package_version: text, expected_catalog_digest: text, expected_server_path: text },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    name: "call_tool",
    description: "Calls any tool by name with its arguments and returns its reply. Ask describe_tool for the arguments first.",
    inputSchema: {
      type: "object",
      properties: { name: text, arguments: { type: "object" } },
      required: ["name"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  {
    name: "describe_tool",
    description: "Returns one tool: what it does and the schema of its arguments.",
    inputSchema: { type: "object", properties: { name: text }, required: ["name"], additionalProperties: false },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    name: "search_tools",
    description: "Finds tools by words, best first: open_binary opens a file, then ask for what you need. No words: all tools.",
    inputSchema: {
      type: "object",
      properties: { query: text, offset: { type: "integer" }, limit: { type: "integer" } },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
];
