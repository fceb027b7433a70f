import { processCaptureSchema, processComparisonSchema, traceSpecificationSchema, type ProcessCapture, type CaptureDifferences, type z } from "@rea/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkCapture } from "../src/compare/checked-capture.js";
import { compareCaptures } from "../src/compare/compare-captures.js";
import { linearPattern } from "../src/normalize/linear-pattern.js";
import { appeared, buildCapture, frame, sample, screen, type CaptureParts } from "./capture-builder.js";

function compare(left: CaptureParts, right: CaptureParts, spec?: z.input<typeof traceSpecificationSchema>): CaptureDifferences {
  const traceSpec = spec === undefined ? undefined : traceSpecificationSchema.parse(spec);
  return processComparisonSchema.omit({ cited_records: true }).parse(compareCaptures({ left: buildCapture(left), right: buildCapture(right), traceSpec, compile: linearPattern }));
}

function statuses({ dimensions }: CaptureDifferences): { readonly [dimension: string]: string } {
  return Object.fromEntries(dimensions.flatMap(({ dimension, status }) => (status === "unchanged" ? [] : [[dimension, status]])));
}

function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const input = (text: string): ProcessCapture["interaction_events"][number] => ({
  kind: "input", source: "scenario", scheduled_at_ms: 0, at_ms: 3, outcome: "dispatched", bytes: text.length, data_base64: Buffer.from(text).toString("base64"), sensitive: false, columns: null, rows: null, signal: null, to: null,
});
const shim = (name: string, more: Partial<ProcessCapture["shim_events"][number]> = {}): ProcessCapture["shim_events"][number] => ({ at_ms: 1, name, arguments: [], outcome: "matched", route: 0, call: 1, exit_code: 0, signal: null, ...more });
const protocol = (connection: number, path: string, more: Partial<ProcessCapture["protocol_events"][number]> = {}): ProcessCapture["protocol_events"][number] => ({
  at_ms: 1, transport: "http", connection, kind: "request", outcome: "matched", method: "GET", path, status: null, headers: [], body: null, ...more,
});
const look = (name: string, state: "complete" | "partial" = "complete"): ProcessCapture["filesystem_checkpoints"][number] => ({ at_ms: 0, name, roots: [{ root: 0, state, entries: 1, bytes: 1, sha256: null }] });
const file = (sha: string) => ({ kind: "file", bytes: 1, mode: "0644", sha256: sha.repeat(64) }) as const;
const created = (path: string, sha = "b"): ProcessCapture["filesystem_effects"][number] => ({ root: 0, path, effect: "created", before: null, after: file(sha) });
const looked = { filesystem_checkpoints: [look("before"), look("after")] };

describe("two captures", () => {
  it("of one run are unchanged in every dimension and equivalent", () => {
    const same = compare({}, {});
    expect(statuses(same)).toEqual({});
    expect(same).toMatchObject({ status: "unchanged", verdict: "equivalent", first_divergence: null, divergences: { total: 0 }, trace: null });
    expect(same.dimensions.map(({ dimension }) => dimension)).toEqual(["terminal", "interaction", "exit", "filesystem", "protocol", "process", "shim"]);
  });

  it("that differ in one byte have one divergence, with its place named", () => {
    const one = { frames: [frame("one\r\n"), frame("two\r\n")], rendered_frames: [screen(["one", "two"])] };
    const other = { frames: [frame("one\r\ntwO\r\n")], rendered_frames: [screen(["one", "twO"])] };
    const found = compare(one, other);
    expect(statuses(found)).toEqual({ terminal: "changed" });
    expect(found.divergences.total).toBe(1);
    expect(found.first_divergence).toEqual({
      dimension: "terminal", state: "changed", collection: "frames", place: "line 2, column 3", fields: ["text"], left: "two\\u{d}", right: "twO\\u{d}", left_order: 3, right_order: 2,
    });
    expect([found.status, found.verdict]).toEqual(["changed", "different"]);
  });

  it("may be cut into frames at other places and times", () => {
    expect(compare({ frames: [frame("hello\r\n", 5)] }, { frames: [frame("hel", 1), frame("lo\r\n", 90)] }).status).toBe("unchanged");
  });

  it("differ by their screens where the text alone is equal", () => {
    const found = compare({}, { rendered_frames: [screen(["hello"], { columns: 40 })] });
    expect(found.first_divergence).toMatchObject({ dimension: "terminal", collection: "rendered_frames", fields: ["columns"], left: '{"columns":80}', right: '{"columns":40}' });
    const passing = compare({}, { rendered_frames: [screen(["x"], { trigger: "before_input" }), screen(["hello"])] });
    expect(passing.status).toBe("unchanged");
  });

  it("are compared by the order of their journals: the earliest divergence comes first", () => {
    const found = compare({ exit: { code: 0, signal: null, reason: "exited", at_ms: 9 }, shim_events: [shim("git")] }, { exit: { code: 1, signal: null, reason: "exited", at_ms: 5 }, shim_events: [shim("hg")] });
    expect(statuses(found)).toEqual({ exit: "changed", shim: "changed" });
    expect(found.first_divergence).toMatchObject({ dimension: "shim", fields: ["name"], left: '{"name":"git"}', right: '{"name":"hg"}' });
  });

  it("tell what only one of them has", () => {
    const found = compare({ interaction_events: [input("a"), input("b")], ...looked }, { interaction_events: [input("a")], ...looked, filesystem_effects: [created("new")] });
    expect(statuses(found)).toEqual({ interaction: "removed", filesystem: "added" });
    expect(found.dimensions.find(({ dimension }) => dimension === "filesystem")?.first_difference).toMatchObject({ place: "0:new", left: null });
  });

  it("ignore times, connections that overlap, and what the run made up", () => {
    const left = { protocol_events: [protocol(0, "/a"), protocol(1, "/b"), protocol(0, "/c")], shim_events: [shim("x", { at_ms: 1, arguments: ["/run/rea-capture-AbC123/home/x", "localhost:40001", "1000"] })] };
    const right = { protocol_events: [protocol(0, "/a", { at_ms: 9 }), protocol(0, "/c"), protocol(1, "/b")], shim_events: [shim("x", { at_ms: 7, arguments: ["/run/rea-capture-Zz9999/home/x", "localhost:40002", "2000"] })], process_samples: [sample(0, { appeared: [appeared(0, "/bin/true", { pid: 2000 })] })] };
    expect(statuses(compare(left, right))).toEqual({});
  });
});

describe("comparison contracts", () => {
  it.each([
    [{ terminal: { columns: 81, rows: 24, scrollback: 1000 } }, "comparison_contract.terminal.columns"],
    [{ settle_ms: 7 }, "comparison_contract.settle_ms"],
    [{ trace: "syscalls" }, "comparison_contract.trace"],
    [{ limits: {} }, "comparison_contract.limits.connections"],
  ] as const)("that differ are refused by field: %j", (contract, path) => {
    expect(refusalOf(() => compare({}, { contract }))).toMatchObject({ code: "invalid_request", details: { issues: [{ path }] } });
  });
});

describe("what a capture does not know", () => {
  it("keeps two runs from being equivalent, not from being different", () => {
    const open = { residual_unknowns: [{ dimension: "process" as const, reason: "sampled" }] };
    expect(compare(open, {})).toMatchObject({ status: "unchanged", verdict: "unknown", residual_unknowns: [{ side: "left", dimension: "process", reason: "sampled" }] });
    expect(compare(open, { frames: [frame("x")] })).toMatchObject({ status: "changed", verdict: "different" });
  });

  it("is no difference where output was cut", () => {
    const cut = { coverage: { state: "partial" as const, omissions: [{ scope: "frames", reason: "limit_total_bytes" as const, count: 1, limit: 5, how_to_continue: null }] }, frames: [frame("hel")], rendered_frames: [screen(["hello"])] };
    expect(statuses(compare(cut, {}))).toEqual({ terminal: "truncated" });
    expect(compare(cut, {}).verdict).toBe("unknown");
    expect(statuses(compare({ ...cut, frames: [frame("hex")] }, {}))).toEqual({ terminal: "changed" });
  });

  it("is unknown, never deleted, where a look was partial", () => {
    const partial = { filesystem_checkpoints: [look("before"), look("after", "partial")] };
    expect(statuses(compare({ ...looked, filesystem_effects: [created("a")] }, partial))).toEqual({ filesystem: "unknown" });
    expect(statuses(compare({ ...looked, filesystem_effects: [created("a")] }, { ...partial, filesystem_effects: [created("a", "c")] }))).toEqual({ filesystem: "changed" });
    const open: ProcessCapture["filesystem_effects"][number] = { root: 0, path: "a", effect: "unknown", before: null, after: null };
    expect(statuses(compare({ ...looked, filesystem_effects: [open] }, { ...looked, filesystem_effects: [open] }))).toEqual({ filesystem: "unknown" });
  });

  it("is unknown where sampling saw a process shortly on one side only", () => {
    const child = (lived: number): CaptureParts => ({ process_samples: [sample(0, { appeared: [appeared(0, "/bin/true")] }), sample(10, { appeared: [appeared(1, "/bin/ls")] }), sample(10 + lived, { ended: [1] })] });
    expect(statuses(compare({}, child(50)))).toEqual({ process: "unknown" });
    expect(statuses(compare({}, child(5000)))).toEqual({ process: "added" });
    expect(statuses(compare(child(50), child(60)))).toEqual({});
  });

  it("is nothing where both were traced: a call that one run lacks was not made", () => {
    const call = (path: string): ProcessCapture["syscall_events"][number] => ({ at_ms: 0, pid: 5, process: 0, kind: "exec", call: "execve", path, new_path: null, arguments: [path], address: null, child_pid: null, result: "ok", exit_code: null, signal: null });
    const contract = { trace: "syscalls" } as const;
    const found = compare({ contract, syscall_events: [call("/bin/a")] }, { contract, syscall_events: [call("/bin/a"), call("/bin/b")] });
    expect(statuses(found)).toEqual({ process: "added" });
  });

  it("stays a contradiction", () => {
    const both = { exit: { code: 1, signal: "SIGTERM", reason: "exited" as const, at_ms: 1 } };
    expect(compare(both, both)).toMatchObject({ status: "contradiction", verdict: "unknown" });
    const made = { ...looked, filesystem_effects: [{ ...created("a"), before: file("c") }] };
    expect(statuses(compare(looked, made))).toEqual({ filesystem: "contradiction" });
  });
});

describe("trace specifications", () => {
  const event = (id: string, name: string, more: object = {}) => ({ id, source: "shim_events" as const, exact: { name }, ignore_fields: ["arguments", "outcome", "route", "call", "exit_code", "signal"], ...more });
  const calls = (...names: string[]): CaptureParts => ({ shim_events: names.map((name) => shim(name)) });
  const partial = (more: object = {}) => ({ version: 1, language: "partial_order" as const, events: [event("a", "a"), event("b", "b", { cardinality: "optional" })], happens_before: [{ before: "a", after: "b" }], ...more });

  it("call runs equivalent that are allowed alike, different that are allowed but not alike", () => {
    expect(compare(calls("a", "b"), calls("a", "b"), partial()).verdict).toBe("equivalent");
    expect(compare(calls("a"), calls("a", "b"), partial()).verdict).toBe("different");
    const unordered = partial({ happens_before: [], unordered_groups: [["a", "b"]] });
    const found = compare(calls("a", "b"), calls("b", "a"), unordered);
    expect([found.verdict, found.status]).toEqual(["equivalent", "changed"]);
    expect(found.trace).toMatchObject({ left: { conformance: "conforming", events: 2, violations_total: 0 } });
  });

  it.each([
    ["happens_before", partial(), ["b", "a"]],
    ["cardinality", partial(), ["b"]],
    ["cardinality", partial(), ["a", "b", "b"]],
    ["unmatched", partial(), ["a", "x"]],
    ["not_before", partial({ happens_before: [], not_before: [{ event: "b", other: "a" }] }), ["b", "a"]],
    ["prefix", partial({ happens_before: [], prefix: ["a"] }), ["b", "a"]],
    ["suffix", partial({ happens_before: [], suffix: ["b"] }), ["a", "b", "a"]],
    ["cardinality", partial({ events: [event("a", "a", { cardinality: "exact", count: 2 }), event("b", "b", { cardinality: "range", minimum: 0, maximum: 3 })] }), ["a"]],
    ["trace", { version: 1, language: "finite_traces" as const, events: [event("a", "a"), event("b", "b")], traces: [["a", "b"]] }, ["a", "b", "a"]],
  ])("name what is against %s", (rule, spec, names) => {
    const found = compare(calls("a", "b"), calls(...names), spec);
    expect(found.verdict).toBe("nonconforming");
    expect(found.trace?.right.violations.map((violation) => violation.rule)).toContain(rule);
  });

  it("compare finite traces by which one was met", () => {
    const spec = { version: 1, language: "finite_traces" as const, events: [event("a", "a"), event("b", "b", { cardinality: "optional" })], traces: [["a"], ["a", "b"]] };
    expect(compare(calls("a"), calls("a"), spec).verdict).toBe("equivalent");
    expect(compare(calls("a"), calls("a", "b"), spec).verdict).toBe("different");
  });

  it("leave open what was cut, but not what was seen", () => {
    const cut = { coverage: { state: "partial" as const, omissions: [{ scope: "shim_events", reason: "limit_items" as const, count: 1, limit: 1, how_to_continue: null }] } };
    expect(compare({ ...calls("a"), ...cut }, calls("a"), partial()).verdict).toBe("unknown");
    expect(compare({ ...calls("b", "a"), ...cut }, calls("a"), partial()).verdict).toBe("nonconforming");
  });

  it.each([
    ["a pair that nothing relates", partial({ happens_before: [] })],
    ["a circle", partial({ happens_before: [{ before: "a", after: "b" }, { before: "b", after: "a" }] })],
    ["an unknown id", partial({ prefix: ["z"] })],
    ["an id twice", partial({ events: [event("a", "a"), event("a", "b")] })],
    ["a count without exact", partial({ events: [event("a", "a", { count: 1 }), event("b", "b")] })],
    ["a range the wrong way round", partial({ events: [event("a", "a", { cardinality: "range", minimum: 2, maximum: 1 }), event("b", "b")] })],
    ["traces of a partial order", partial({ traces: [["a"]] })],
    ["no trace at all", { version: 1, language: "finite_traces", events: [event("a", "a")] }],
    ["another version", partial({ version: 2 })],
  ])("are refused with %s", (_what, spec) => {
    expect(traceSpecificationSchema.safeParse(spec).success).toBe(false);
  });

  it("relate pairs by way of others too", () => {
    const events = ["a", "b", "c"].map((id) => event(id, id));
    expect(traceSpecificationSchema.safeParse(partial({ events, happens_before: [{ before: "a", after: "b" }, { before: "b", after: "c" }] })).success).toBe(true);
  });
});

describe("a capture's commitments", () => {
  it("hold for what was captured, and for nothing else", () => {
    const capture = buildCapture({ shim_events: [shim("git")] });
    expect(() => checkCapture(capture, "ev_x")).not.toThrow();
    const forged: [string, ProcessCapture][] = [
      ["journal_sha256", { ...capture, shim_events: [shim("hg")] }],
      ["journal_sha256", { ...capture, exit: { ...capture.exit, code: 1 } }],
      ["journal_sha256", { ...capture, event_journal: capture.event_journal.slice(1) }],
      ["scenario_sha256", { ...capture, manifest: { ...capture.manifest, scenario: {} } }],
      ["comparison_contract_sha256", { ...capture, manifest: { ...capture.manifest, comparison_contract: { ...capture.manifest.comparison_contract, settle_ms: 1 } } }],
      ["replay_plan_sha256", { ...capture, manifest: { ...capture.manifest, replay_plan: {} } }],
    ];
    for (const [constraint, one] of forged) {
      expect(refusalOf(() => checkCapture(one, "ev_x"))).toMatchObject({ code: "evidence_integrity_mismatch", details: { constraint } });
    }
  });

  it("do not hold for a journal that names nothing", () => {
    expect(() => checkCapture(buildCapture({ journal: [["shim_events", 0]] }), "ev_x")).toThrow(expect.objectContaining({ code: "evidence_integrity_mismatch" }));
  });
});

const anyCapture: fc.Arbitrary<CaptureParts> = fc
  .record({
    frames: fc.array(fc.constantFrom("a", "b", "\r\n", "ab"), { maxLength: 4 }),
    shims: fc.array(fc.constantFrom("x", "y"), { maxLength: 3 }),
    files: fc.uniqueArray(fc.constantFrom("p", "q", "r"), { maxLength: 3 }),
    children: fc.array(fc.tuple(fc.constantFrom("/bin/ls", "/bin/cat"), fc.integer({ min: 1, max: 3000 })), { maxLength: 3 }),
    code: fc.integer({ min: 0, max: 2 }),
    whole: fc.boolean(),
  })
  .map(({ frames, shims, files, children, code, whole }) => ({
    frames: frames.map((text) => frame(text)),
    rendered_frames: [],
    shim_events: shims.map((name) => shim(name)),
    filesystem_checkpoints: [look("before"), look("after", whole ? "complete" : "partial")],
    filesystem_effects: files.map((path) => created(path)),
    process_samples: [
      sample(0, { appeared: [appeared(0, "/bin/sh"), ...children.map(([program], index) => appeared(index + 1, program))] }),
      ...children.map(([, lived], index) => sample(lived, { ended: [index + 1] })),
    ],
    exit: { code, signal: null, reason: "exited", at_ms: 3000 },
    coverage: whole ? { state: "complete", omissions: [] } : { state: "partial", omissions: [{ scope: "shim events", reason: "limit_items", count: 1, limit: 1, how_to_continue: null }] },
  }));

describe("any two captures", () => {
  it("are unchanged against themselves when they are whole, and never said to be when they are not", () => {
    fc.assert(
      fc.property(anyCapture, (parts) => {
        const self = compare(parts, parts);
        expect(self.status).toBe(parts.coverage?.state === "complete" ? "unchanged" : "truncated");
        expect(self.divergences.total).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it("mirror each other when they are swapped", () => {
    const swapped = { added: "removed", removed: "added" } as const;
    const turn = (state: string) => (state === "added" || state === "removed" ? swapped[state] : state);
    fc.assert(
      fc.property(anyCapture, anyCapture, (left, right) => {
        const [one, other] = [compare(left, right), compare(right, left)];
        expect(other.dimensions.map(({ status }) => status)).toEqual(one.dimensions.map(({ status }) => turn(status)));
        expect(other.divergences.items.map(({ place, state, left: a, right: b }) => [place, state, b, a])).toEqual(one.divergences.items.map(({ place, state, left: a, right: b }) => [place, turn(state), a, b]));
        expect([other.status, other.verdict]).toEqual([one.status, one.verdict]);
        expect([other.first_divergence?.left ?? null, other.first_divergence?.right ?? null]).toEqual([one.first_divergence?.right ?? null, one.first_divergence?.left ?? null]);
      }),
      { numRuns: 80 },
    );
  });

  it("are what the schema of captures says", () => {
    expect(processCaptureSchema.safeParse(buildCapture()).success).toBe(true);
  });
});
