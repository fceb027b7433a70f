import { operations } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";
import { executableFile } from "../targets.js";

const shared = {
  family: "binary-format",
  effects: effectClasses.evidence,
  evidence: true,
  target: executableFile,
  paths: ["path"],
} as const;

export const inspectBinary = defineTool({
  ...shared,
  name: "inspect_binary",
  description:
    "Reads an ELF, PE or Mach-O file without any engine: header, sections with entropy, imports, exports, libraries, mitigations with their basis, build ids, toolchain, overlay, anomalies. Start here on an unknown executable; ask `facets` for less. Continue with binary_overview.",
  input: operations.inspect_binary.params,
  output: operations.inspect_binary.result,
  requires: ["inspect_binary"],
  cli: { command: "inspect-binary", target: "input", positionals: [] },
  examples: [
    { title: "Everything about the open executable", target: "executable", input: {} },
    {
      title: "Only header and mitigations",
      target: "executable",
      input: { facets: ["header", "mitigations"] },
    },
  ],
  run: async (input, ports, context) => answer(await ports.inspect_binary(input, context)),
});

export const inspectMacho = defineTool({
  ...shared,
  name: "inspect_macho",
  description:
    "Reads the structure of a Mach-O file: header, load commands, segments and sections, dylibs with versions, rpaths, build version, UUID, entry point, fixups, encryption, code-signature location. Choose the slice of a universal file with `architecture` (see list_architectures).",
  input: operations.inspect_macho.params,
  output: operations.inspect_macho.result,
  requires: ["inspect_macho"],
  cli: { command: "inspect-macho", target: "input", positionals: [] },
  examples: [{ title: "The open executable as Mach-O", target: "executable", input: {} }],
  run: async (input, ports, context) => answer(await ports.inspect_macho(input, context)),
});

export const inspectSignature = defineTool({
  ...shared,
  name: "inspect_signature",
  description:
    "Verifies what the signatures of an executable declare: Mach-O page hashes, sealed files, entitlements and certificates of every slice; PE checksum, Authenticode digest, page hashes and certificates; signed kernel modules; Electron fuses. Says what holds, what is broken and where. Never evaluates trust. For packages use inspect_artifact.",
  input: operations.inspect_signature.params,
  output: operations.inspect_signature.result,
  requires: ["inspect_signature"],
  cli: { command: "inspect-signature", target: "input", positionals: [] },
  examples: [{ title: "Signatures of the open executable", target: "executable", input: {} }],
  run: async (input, ports, context) => answer(await ports.inspect_signature(input, context)),
});

export const listArchitectures = defineTool({
  ...shared,
  name: "list_architectures",
  description:
    "Lists the architectures in an executable: the slices of a universal Mach-O with offset and size, or the single one of an ELF or PE file. Use it before open_binary or inspect_binary with `architecture`.",
  input: operations.list_architectures.params,
  output: operations.list_architectures.result,
  requires: ["list_architectures"],
  cli: { command: "list-architectures", target: "input", positionals: [] },
  examples: [{ title: "Architectures of the open executable", target: "executable", input: {} }],
  run: async (input, ports, context) => answer(await ports.list_architectures(input, context)),
});
