import { z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

/** The ledger itself answers for the members (contract 01 §6). */
const object = z.record(z.string(), z.unknown());
const shared = { family: "session", output: object, evidence: false, requires: ["ledger"], target: "none" } as const;
const path = z.string().min(1).max(4096);

export const getEvidenceBundle = defineTool({
  ...shared,
  name: "get_evidence_bundle",
  description:
    "Returns every Evidence record and unknown of this session as one bundle, inline. Over 1 MiB it answers truncated: write a file with export_evidence_bundle instead. To reuse one record pass {\"evidence_id\": \"ev_…\"} to the next tool; no bundle is needed.",
  input: z.strictObject({}),
  effects: effectClasses.pure,
  cli: null,
  examples: [{ title: "The bundle of this session", input: {} }],
  run: async (_input, ports, context) => ({ result: await ports.ledger.bundle(context), produced: null }),
});

export const exportEvidenceBundle = defineTool({
  ...shared,
  name: "export_evidence_bundle",
  description:
    "Writes every Evidence record and unknown of this session to a bundle file and returns path, size, counts and sha256. Use it before close_binary, or to hand results to somebody else, who reads them with import_evidence_bundle.",
  input: z.strictObject({
    path: path.describe("Absolute path of the file to write"),
    overwrite: z.boolean().default(false).describe("Replace an existing file"),
    include_wholes: z.boolean().default(true).describe("Add retained graphs and captures"),
  }),
  effects: effectClasses.bundleExport,
  paths: ["path"],
  cli: { command: "evidence-export", target: "none", positionals: ["path"] },
  examples: [{ title: "Write a bundle", input: { path: "/tmp/rea-evidence.json", overwrite: true } }],
  run: async (input, ports, context) => ({ result: await ports.ledger.exportBundle(input, context), produced: null }),
});

export const importEvidenceBundle = defineTool({
  ...shared,
  name: "import_evidence_bundle",
  description:
    "Reads a bundle file into this session's ledger, all of it or nothing, after checking every id. Nothing in it is executed or opened. Imported records can then be passed by evidence_id; results that cite them say origin imported.",
  input: z.strictObject({ path: path.describe("Absolute path of the bundle file") }),
  effects: effectClasses.bundleImport,
  paths: ["path"],
  cli: { command: "evidence-import", target: "none", positionals: ["path"] },
  examples: [{ title: "Read a bundle", input: { path: "/tmp/rea-evidence.json" } }],
  run: async (input, ports, context) => ({ result: await ports.ledger.importBundle(input, context), produced: null }),
});
