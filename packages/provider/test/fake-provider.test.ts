import { deepOperationNames, ReaError, type DeepOperationName } from "@rea/core";
import { createFakeProvider, programTarget, testProvider, type FakeAnswer } from "../../testkit/src/index.js";

const entry = "0x1000";
const page = (items: readonly unknown[]) => ({ items, coverage: { state: "complete", omissions: [] }, offset: 0, limit: 100, total: items.length, next_offset: null, has_more: false });
const procedure = { size: 16, sources: ["symbol"], name_source: "symbol", external: false, thunk: false, thunk_target: null };
const segment = { name: "text", start: entry, end: "0x2000", readable: true, writable: false, executable: true, permissions: "r-x", sections: [], provenance: "file" };

const knowing: FakeAnswer = (params) => {
  if (Object(params).procedure === entry) return entry;
  throw new ReaError("target_unavailable", { message: "No procedure has that name.", details: { reason: "target_not_found" } });
};
const answers: { readonly [N in DeepOperationName]?: FakeAnswer } = {
  list_documents: () => page(["program"]),
  list_segments: () => page([segment]),
  list_procedures: () => page([{ address: entry, value: "main", value_truncated: false, procedure }]),
  procedure_address: knowing,
  xrefs: () => page([]),
};

const program = programTarget();

testProvider({
  provider: createFakeProvider({
    id: "fake",
    answers,
    support: ({ kind }) =>
      kind === "executable" ? { status: "supported", diagnostics: {} } : { status: "unsupported", code: "target_kind_unsupported", reason: "Executables only.", diagnostics: {} },
  }),
  fixtures: [{ name: "a program", target: () => program }],
  without: deepOperationNames.filter((name) => !(name in answers)),
});
