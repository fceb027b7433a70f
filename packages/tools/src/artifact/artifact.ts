import { artifactDocumentFormats, operations } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";
import { anyFile } from "../targets.js";

const shared = { family: "artifact", evidence: true, target: anyFile, paths: ["path"] } as const;

export const inspectArtifact = defineTool({
  ...shared,
  name: "inspect_artifact",
  description:
    "Opens a directory, archive, package or image and everything inside it, to any depth: every member with SHA-256, kind, format, declared checks verified, and each contradiction named (hidden entries, wrong sums, unsafe names). Returns a page of members; use `prefix` and `offset` for more, extract_artifact for the bytes.",
  input: operations.inspect_artifact.params,
  output: operations.inspect_artifact.result,
  effects: effectClasses.engineEvidence,
  requires: ["inspect_artifact"],
  cli: {
    command: "inspect-artifact",
    target: "input",
    positionals: [],
    // A document that lists contradictions is of no use if the first one ends the reading.
    documents: { formats: artifactDocumentFormats, defaults: { integrity_policy: "record-and-continue" } },
  },
  examples: [{ title: "What is in the open target", target: "executable", input: {} }],
  run: async (input, ports, context) => answer(await ports.inspect_artifact(input, context)),
});

export const extractArtifact = defineTool({
  ...shared,
  name: "extract_artifact",
  description:
    "Writes members of an archive, package or directory into a fresh private directory: only members with safe names whose bytes hold what is declared of them, each read back and hashed again. Links, permissions and times are not restored. Choose with `select` the logical paths that inspect_artifact shows.",
  input: operations.extract_artifact.params,
  output: operations.extract_artifact.result,
  effects: effectClasses.extraction,
  requires: ["extract_artifact"],
  cli: { command: "extract-artifact", target: "input", positionals: [] },
  examples: [{ title: "One member of the open target", target: "executable", input: { select: ["readme.txt"] } }],
  run: async (input, ports, context) => answer(await ports.extract_artifact(input, context)),
});
