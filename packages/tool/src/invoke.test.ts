import {
  addressInput,
  evidenceInput,
  ReaError,
  z,
  type CapabilityPorts,
  type Evidence,
  type Execution,
  type ProgressUpdate,
} from "@rea/core";
import { describe, expect, it } from "vitest";
import { effectClasses, invoke, type Tool, type ToolHost, type ToolReply } from "./index.js";

const emptyFile = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const execution: Omit<Execution<unknown>, "result"> = {
  raw_result: null,
  provider: { id: "rea-binary-static", name: "REA binary formats", version: "1" },
  analysis_profile: null,
  subject: {
    name: "env",
    digest: { sha256: emptyFile },
    format: "elf",
    architecture: "x86_64",
    local_path: "/usr/bin/env",
  },
  confidence: "observed",
  limitations: [],
  locations: [],
  resolved_parameters: {},
};

const echoInput = z.strictObject({
  address: addressInput.optional().describe("Address"),
  path: z.string().min(1).optional().describe("Path"),
  limit: z.number().int().min(1).max(500).default(100).describe("Limit"),
  mode: z.enum(["literal", "regex"]).default("literal").describe("Mode"),
  names: z.array(z.strictObject({ name: z.string().min(1).describe("Name") })).max(3).optional().describe("Names"),
  left: evidenceInput.optional().describe("Evidence"),
});

interface Behaviour {
  readonly result?: unknown;
  readonly run?: Tool["run"];
  readonly evidence?: boolean;
}

function echo({ result = { ok: true }, run, evidence = true }: Behaviour = {}): Tool {
  return {
    name: "echo",
    family: "direct",
    description: "Answers with a fixed result.",
    input: echoInput,
    output: z.strictObject({ ok: z.boolean() }),
    effects: effectClasses.evidence,
    evidence,
    requires: [],
    target: "none",
    paths: ["path"],
    cli: null,
    examples: [{ title: "Nothing", input: {} }],
    run: run ?? (() => Promise.resolve({ result, produced: execution })),
  };
}

interface FakeHost extends ToolHost {
  readonly records: Evidence[];
  readonly calls: string[];
}

function fakeHost(overrides: Partial<ToolHost> = {}): FakeHost {
  const records: Evidence[] = [];
  const calls: string[] = [];
  const none: readonly (readonly unknown[])[] = [];
  const ports: CapabilityPorts = Object.fromEntries(none);
  return {
    records,
    calls,
    ports,
    offers: () => false,
    requireAvailable: () => void calls.push("available"),
    admit: (_tool, work) => {
      calls.push("admit");
      return work();
    },
    record: (evidence) => {
      calls.push("record");
      records.push(evidence);
      return Promise.resolve();
    },
    connected: () => undefined,
    ...overrides,
  };
}

const quiet = () => ({ signal: new AbortController().signal });

function errorOf(reply: ToolReply) {
  if (reply.ok) throw new Error("the call succeeded");
  return reply.error;
}

function issuesOf(reply: ToolReply): unknown {
  return errorOf(reply).details?.["issues"];
}

describe("what a tool left on the host", () => {
  const undone = (undo: () => Promise<void>, result: unknown = { ok: true }) =>
    echo({ run: () => Promise.resolve({ result, produced: { ...execution, undo } }) });

  it("stays when the answer is delivered", async () => {
    let count = 0;
    const reply = await invoke(undone(() => Promise.resolve(void (count += 1))), {}, fakeHost(), quiet());
    expect([reply.ok, count]).toEqual([true, 0]);
  });

  it("is taken back when the call is cancelled after it ran, when its output is unreadable and when recording fails", async () => {
    let count = 0;
    const undo = () => Promise.resolve(void (count += 1));
    const controller = new AbortController();
    const late: Tool = { ...undone(undo), run: (input, ports, context) => {
      controller.abort();
      return undone(undo).run(input, ports, context);
    } };
    expect(errorOf(await invoke(late, {}, fakeHost(), { signal: controller.signal })).code).toBe("cancelled");
    expect(errorOf(await invoke(undone(undo, { ok: 1 }), {}, fakeHost(), quiet())).code).toBe("unreadable_output");
    const full = fakeHost({ record: () => Promise.reject(new ReaError("truncated", { message: "Full.", details: {} })) });
    expect((await invoke(undone(undo), {}, full, quiet())).ok).toBe(false);
    expect(count).toBe(3);
  });

  it("is reported when it cannot be taken back", async () => {
    const controller = new AbortController();
    const undo = () => Promise.reject(new ReaError("cleanup_incomplete", { message: "Left.", details: {} }));
    const late: Tool = { ...undone(undo), run: (input, ports, context) => {
      controller.abort();
      return undone(undo).run(input, ports, context);
    } };
    expect(errorOf(await invoke(late, {}, fakeHost(), { signal: controller.signal }))).toMatchObject({
      code: "cleanup_incomplete",
      details: { cause: "cancelled" },
    });
  });
});

describe("a successful call", () => {
  it("asks for availability, then for admission, then records and answers with the record", async () => {
    const host = fakeHost();
    const reply = await invoke(echo(), { limit: 5 }, host, quiet());
    expect(host.calls).toEqual(["available", "admit", "record"]);
    const [record] = host.records;
    expect(reply).toEqual({
      ok: true,
      value: { result: { ok: true }, evidence_id: record?.evidence_id, evidence: record },
    });
    expect(record?.normalized_result).toEqual({ ok: true });
    expect(record?.operation).toBe("echo");
    expect(record?.authority).toBe("shipped-artifact");
  });

  it("records the input after defaults, with paths as digests and Evidence as references", async () => {
    const host = fakeHost();
    const left = { evidence_id: `ev_${emptyFile}`, schema_version: 2, normalized_result: { a: 1 } };
    await invoke(echo(), { address: "0x00AB", path: "/tmp/x", left }, host, quiet());
    expect(host.records[0]?.parameters).toEqual({
      address: "0xab",
      path: { sha256: emptyFile },
      limit: 100,
      mode: "literal",
      left: { evidence_id: `ev_${emptyFile}` },
    });
  });

  it("has the same id whether the path is given or defaulted, and wherever the file lies", async () => {
    const host = fakeHost();
    await invoke(echo(), { path: "/tmp/x" }, host, quiet());
    await invoke(echo(), {}, host, quiet());
    await invoke(echo(), { path: "/tmp/y" }, host, quiet());
    expect(new Set(host.records.map((record) => record.evidence_id)).size).toBe(1);
  });

  it("lets defaults of the session win over the input, and keeps an explicit digest of a path", async () => {
    const host = fakeHost();
    const produced = {
      ...execution,
      resolved_parameters: { document: "env", annotations_sha256: "a".repeat(64) },
      path_digests: { path: null },
    };
    const tool = echo({ run: () => Promise.resolve({ result: { ok: true }, produced }) });
    await invoke(tool, {}, host, quiet());
    expect(host.records[0]?.parameters).toMatchObject({
      document: "env",
      annotations_sha256: "a".repeat(64),
      path: { sha256: null },
    });
  });

  it("answers only the result when the tool produces no Evidence", async () => {
    const host = fakeHost();
    const tool = echo({ evidence: false, run: () => Promise.resolve({ result: { ok: false }, produced: null }) });
    expect(await invoke(tool, {}, host, quiet())).toEqual({ ok: true, value: { result: { ok: false } } });
    expect(host.records).toEqual([]);
  });

  it("takes no input for an empty one", async () => {
    expect((await invoke(echo(), undefined, fakeHost(), quiet())).ok).toBe(true);
  });
});

describe("bad input", () => {
  it("names an unknown key, the valid ones and nothing of its value, and never reaches the host", async () => {
    const host = fakeHost();
    const reply = await invoke(echo(), { limt: "secret-7f3a" }, host, quiet());
    expect(errorOf(reply).code).toBe("invalid_request");
    expect(issuesOf(reply)).toEqual([
      {
        path: "limt",
        reason: "unknown_argument",
        expected: "address, left, limit, mode, names, path",
        valid_keys: ["address", "left", "limit", "mode", "names", "path"],
      },
    ]);
    expect(JSON.stringify(reply)).not.toContain("secret-7f3a");
    expect(host.calls).toEqual([]);
  });

  it.each([
    ['{"__proto__": {"limit": 3}}', "__proto__"],
    ['{"names": [{"name": "a", "__proto__": {"x": 1}}]}', "names.0.__proto__"],
  ])("refuses the hidden key of %s like any unknown one, once", async (text, path) => {
    const reply = await invoke(echo(), JSON.parse(text), fakeHost(), quiet());
    expect(issuesOf(reply)).toMatchObject([{ path, reason: "unknown_argument" }]);
  });

  it.each([
    [{ names: [{ name: "a", nmae: 1 }] }, { path: "names.0.nmae", reason: "unknown_argument", valid_keys: ["name"] }],
    [{ names: [{}] }, { path: "names.0.name", reason: "missing_argument", expected: "string" }],
    [{ names: [{ name: "" }] }, { path: "names.0.name", reason: "out_of_range", minimum: 1 }],
    [{ names: [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" }] }, { path: "names", reason: "out_of_range", maximum: 3 }],
    [{ limit: "5" }, { path: "limit", reason: "invalid_type", expected: "number" }],
    [{ limit: 5.5 }, { path: "limit", reason: "invalid_type", expected: "integer" }],
    [{ limit: null }, { path: "limit", reason: "invalid_type" }],
    [{ limit: 0 }, { path: "limit", reason: "out_of_range", minimum: 1 }],
    [{ limit: 501 }, { path: "limit", reason: "out_of_range", maximum: 500 }],
    [{ mode: "exact" }, { path: "mode", reason: "invalid_value", expected: "literal, regex" }],
    [{ address: "4096" }, { path: "address", reason: "invalid_format" }],
    [{ address: `0x1${"0".repeat(16)}` }, { path: "address", reason: "invalid_value", expected: "expected an address below 2^64" }],
    [{ left: {} }, { path: "left.evidence_id", reason: "missing_argument" }],
    [{ left: { evidence_id: "ev_1" } }, { path: "left.evidence_id", reason: "invalid_format" }],
    [{ path: "relative/file" }, { path: "path", reason: "invalid_format", expected: "an absolute local path" }],
    [{ path: "file:///etc/passwd" }, { path: "path", reason: "invalid_format" }],
    [{ path: "~/file" }, { path: "path", reason: "invalid_format" }],
    [[], { path: "", reason: "invalid_type", expected: "object" }],
    ["text", { path: "", reason: "invalid_type", expected: "object" }],
  ])("%j is refused at the exact place", async (input, issue) => {
    const reply = await invoke(echo(), input, fakeHost(), quiet());
    expect(errorOf(reply).code).toBe("invalid_request");
    expect(issuesOf(reply)).toMatchObject([issue]);
  });

  it("makes control characters of a caller's key visible and bounds the number of issues", async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${String(index)}\u202e`, 1]));
    const issues = issuesOf(await invoke(echo(), many, fakeHost(), quiet()));
    expect(issues).toHaveLength(32);
    expect(JSON.stringify(issues)).toContain("k0\\\\u{202e}");
  });
});

describe("failures", () => {
  it("passes on the typed error of an unavailable tool and runs nothing", async () => {
    const host = fakeHost({
      requireAvailable: () => {
        throw new ReaError("target_unavailable", { message: "Open a target.", details: { reason: "no_target" } });
      },
    });
    expect(errorOf(await invoke(echo(), {}, host, quiet()))).toMatchObject({ code: "target_unavailable", details: { reason: "no_target" } });
    expect(host.calls).toEqual([]);
  });

  it("hides what an internal fault says behind an incident id", async () => {
    const tool = echo({ run: () => Promise.reject(new TypeError("cannot read /root/secret")) });
    const error = errorOf(await invoke(tool, {}, fakeHost(), quiet()));
    expect(error.code).toBe("execution_failure");
    expect(JSON.stringify(error)).not.toContain("secret");
  });

  it.each([
    ["a result of another shape", { ok: 1 }],
    ["an extra member", { ok: true, more: 1 }],
    ["no result", undefined],
  ])("%s is unreadable output and is not recorded", async (_title, result) => {
    const host = fakeHost();
    const tool = echo({ run: () => Promise.resolve({ result, produced: execution }) });
    expect(errorOf(await invoke(tool, {}, host, quiet()))).toMatchObject({
      code: "unreadable_output",
      details: { operation: "echo", provider_id: "rea-binary-static" },
    });
    expect(host.records).toEqual([]);
  });

  it("refuses numbers that public JSON cannot hold", async () => {
    const tool: Tool = { ...echo({ result: { value: 0.5 } }), output: z.strictObject({ value: z.number() }) };
    expect(errorOf(await invoke(tool, {}, fakeHost(), quiet())).code).toBe("unreadable_output");
  });
});

describe("cancellation and deadline", () => {
  const untilAborted: Tool["run"] = (_input, _ports, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));

  it("reports a deadline as a timeout and never as a cancellation", async () => {
    const reply = await invoke(echo({ run: untilAborted }), {}, fakeHost(), { ...quiet(), deadlineMs: 5 });
    expect(errorOf(reply)).toMatchObject({
      code: "provider_timeout",
      details: { operation: "echo", timeout_ms: 5, phase: "start" },
    });
  });

  it("reports an abort as a cancellation and leaves no record", async () => {
    const controller = new AbortController();
    const host = fakeHost();
    const pending = invoke(echo({ run: untilAborted }), {}, host, { signal: controller.signal, deadlineMs: 60_000 });
    controller.abort();
    expect(errorOf(await pending)).toMatchObject({ code: "cancelled", details: { cleanup: "complete" } });
    expect(host.records).toEqual([]);
  });

  it("does not start a call that is already cancelled", async () => {
    const host = fakeHost();
    const reply = await invoke(echo(), {}, host, { signal: AbortSignal.abort() });
    expect(errorOf(reply).code).toBe("cancelled");
    expect(host.calls).toEqual([]);
  });

  it("drops a result that comes after the cancellation", async () => {
    const controller = new AbortController();
    const host = fakeHost();
    const tool = echo({
      run: () => {
        controller.abort();
        return Promise.resolve({ result: { ok: true }, produced: execution });
      },
    });
    expect(errorOf(await invoke(tool, {}, host, { signal: controller.signal })).code).toBe("cancelled");
    expect(host.records).toEqual([]);
  });

  it("answers with success when the cancellation comes after the record", async () => {
    const controller = new AbortController();
    const host = fakeHost({
      record: () => {
        controller.abort();
        return Promise.resolve();
      },
    });
    expect((await invoke(echo(), {}, host, { signal: controller.signal })).ok).toBe(true);
  });

  it("says so when an aborted call does not end", async () => {
    const tool = echo({ run: () => new Promise(() => undefined) });
    const reply = await invoke(tool, {}, fakeHost(), { ...quiet(), deadlineMs: 5, cleanupGraceMs: 5 });
    expect(errorOf(reply)).toMatchObject({ code: "cleanup_incomplete", details: { cause: "provider_timeout" } });
  });
});

describe("progress", () => {
  it("ends with one terminal update before the reply, and hears nothing after it", async () => {
    const seen: ProgressUpdate[] = [];
    let late: (() => void) | undefined;
    const tool = echo({
      run: (_input, _ports, { progress }) => {
        progress.report({ phase: "reading", completed: 1, message: "Reading." });
        late = () => progress.report({ phase: "reading", completed: 2, message: "Reading." });
        return Promise.resolve({ result: { ok: true }, produced: execution });
      },
    });
    await invoke(tool, {}, fakeHost(), { ...quiet(), progressSink: (update) => void seen.push(update) });
    late?.();
    expect(seen.map(({ phase }) => phase)).toEqual(["reading", "done"]);
  });

  it("sends the terminal update also when the call fails", async () => {
    const seen: string[] = [];
    const options = { ...quiet(), progressSink: ({ phase }: ProgressUpdate) => void seen.push(phase) };
    await invoke(echo(), { nonsense: 1 }, fakeHost(), options);
    expect(seen).toEqual(["failed"]);
  });

  it("answers the same with and without a watcher", async () => {
    const watched = await invoke(echo(), {}, fakeHost(), { ...quiet(), progressSink: () => undefined });
    expect(await invoke(echo(), {}, fakeHost(), quiet())).toEqual(watched);
  });
});
