import { addressInput, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

/** The session itself answers for the members (contract 02 §6, §7). */
const object = z.record(z.string(), z.unknown());
const path = z.string().min(1).max(4096);
const anyArchitecture = z.string().min(1).max(32).optional();

export const binarySession = defineTool({
  name: "binary_session",
  family: "session",
  description:
    "Returns what is open, which analysis provider is bound and why, every tool's availability with reason and remedy, server identity, running analysis and ledger size. Starts nothing. Call it first, and whenever a tool says it is unavailable. Continue with open_binary.",
  input: z.strictObject({
    expected_package_version: z.string().min(1).max(64).optional().describe("Package version the caller expects"),
    expected_catalog_digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "expected 64 lowercase hex characters")
      .optional()
      .describe("Catalogue sha256 the caller expects"),
    expected_server_path: path.optional().describe("Server path the caller expects"),
  }),
  output: object,
  effects: effectClasses.pure,
  evidence: false,
  requires: ["session"],
  target: "none",
  // `providers` and `capabilities` show parts of it.
  cli: null,
  examples: [{ title: "What can be done now", input: {} }],
  run: (input, ports) => Promise.resolve({ result: ports.session.describe(input), produced: null }),
});

export const openBinary = defineTool({
  name: "open_binary",
  family: "session",
  description:
    "Opens a local file or directory as the target of this session and binds one analysis provider to it; no engine starts yet. Returns identity, format, architecture and binding. Any readable file opens. Continue with inspect_binary or binary_overview.",
  input: z.strictObject({
    path: path.describe("Absolute path of the file or directory"),
    provider_id: z.string().min(1).max(64).optional().describe("Provider id, or auto"),
    architecture: anyArchitecture.describe("Slice of a universal file"),
    snapshot_path: path.optional().describe("Analysis snapshot to reuse"),
    raw_architecture: anyArchitecture.describe("Architecture of a file without header"),
    raw_base: addressInput.optional().describe("Load address of a file without header, default 0x0"),
    raw_endian: z.enum(["little", "big"]).optional().describe("Byte order of a file without header"),
  }),
  output: object,
  effects: effectClasses.open,
  evidence: false,
  requires: ["session"],
  target: "none",
  paths: ["path", "snapshot_path"],
  cli: null,
  examples: [{ title: "Open an executable", input: { path: "/usr/bin/env" } }],
  run: async (input, ports, context) => ({ result: await ports.session.open(input, context), produced: null }),
});

export const closeBinary = defineTool({
  name: "close_binary",
  family: "session",
  description:
    "Closes the target and clears the Evidence ledger of this session, also when nothing is open. Export Evidence first with export_evidence_bundle if it is still wanted. With snapshot_path the provider's answers are saved for a later open_binary.",
  input: z.strictObject({
    snapshot_path: path.optional().describe("Where to save the analysis snapshot"),
    overwrite: z.boolean().default(false).describe("Replace an existing snapshot"),
  }),
  output: object.nullable(),
  effects: effectClasses.close,
  evidence: false,
  requires: ["session"],
  target: "none",
  paths: ["snapshot_path"],
  cli: null,
  examples: [{ title: "Close without saving", input: {} }],
  run: async (input, ports, context) => ({ result: await ports.session.close(input, context), produced: null }),
});
