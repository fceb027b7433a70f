import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolService } from "@rea/tool";
import { afterAll, describe, expect, test } from "vitest";
import { call, failure, result, runtimeWith } from "./support.js";

const place = mkdtempSync(join(tmpdir(), "rea-compared-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A deterministic program: it writes, asks, calls a shimmed command, makes a file and ends with a code. */
const script = join(place, "script.sh");
writeFileSync(script, ["printf '%s\\n' \"$1\"", "pwd", "read answer", "printf 'you said %s\\n' \"$answer\"", "fetch --all", "printf data > made.txt", "exit 3"].join("\n"));

function scenario(greeting: string, more: object = {}): object {
  return {
    scenario: {
      executable: "/bin/sh",
      arguments: [script, greeting],
      events: [{ kind: "input", at_ms: 150, data: "yes\n" }],
      command_shims: [{ name: "fetch", arguments: ["--all"], outputs: [{ data: "fetched\n" }], exit_code: 0 }],
      timeout_ms: 20_000,
      ...more,
    },
  };
}

async function captured(service: ToolService, input: object): Promise<string> {
  const reply = await call(service, "capture_process_scenario", input);
  if (!reply.ok || !("evidence_id" in reply.value)) throw new Error(JSON.stringify(reply));
  return reply.value.evidence_id;
}

const reference = (evidence_id: string) => ({ evidence_id });

describe.skipIf(process.platform !== "linux")("two runs of a program", () => {
  test("are unchanged in every dimension when it is deterministic; one changed byte is one divergence, with its place", async () => {
    const service = runtimeWith();
    const [one, again, other] = [await captured(service, scenario("hello")), await captured(service, scenario("hello")), await captured(service, scenario("hellO"))];
    const same = await result(service, "compare_process_captures", { left: reference(one), right: reference(again) });
    expect(same.dimensions.map(({ dimension, status }: { dimension: string; status: string }) => `${dimension} ${status}`)).toEqual(
      ["terminal", "interaction", "exit", "filesystem", "protocol", "process", "shim"].map((dimension) => `${dimension} unchanged`),
    );
    expect(same).toMatchObject({ status: "unchanged", first_divergence: null, divergences: { total: 0 } });

    const changed = await result(service, "compare_process_captures", { left: reference(one), right: reference(other) });
    expect(changed).toMatchObject({ status: "changed", verdict: "different" });
    expect(changed.dimensions.filter(({ status }: { status: string }) => status !== "unchanged").map(({ dimension }: { dimension: string }) => dimension)).toEqual(["terminal", "process"]);
    expect(changed.dimensions[0].first_difference).toMatchObject({ place: "line 1, column 5", left: "hello\\u{d}", right: "hellO\\u{d}" });
    await service.close();
  });

  test("of which one writes another byte differ in exactly that place", async () => {
    const service = runtimeWith();
    const data = join(place, "data.txt");
    const run = async (text: string): Promise<string> => {
      writeFileSync(data, text);
      return captured(service, { scenario: { executable: "cat", arguments: [data], timeout_ms: 20_000 } });
    };
    const [left, right] = [await run("first\nsecond\n"), await run("first\nseconD\n")];
    const found = await result(service, "compare_process_captures", { left: reference(left), right: reference(right) });
    expect(found.divergences.total).toBe(1);
    expect(found.first_divergence).toMatchObject({ dimension: "terminal", place: "line 2, column 6", left: "second\\u{d}", right: "seconD\\u{d}" });
    await service.close();
  });

  test("are judged by a specification of traces, and refused when their contracts differ, their age is over, or they are no captures", async () => {
    const service = runtimeWith();
    const [left, right] = [await captured(service, scenario("a")), await captured(service, scenario("a"))];
    const call = { id: "fetch", source: "shim_events", exact: { name: "fetch", outcome: "matched" }, ignore_fields: ["arguments", "route", "call", "exit_code", "signal"] };
    const end = { id: "end", source: "exit", exact: { code: 3 }, ignore_fields: ["signal", "reason"] };
    const trace_spec = { version: 1, language: "partial_order", events: [call, end], happens_before: [{ before: "fetch", after: "end" }] };
    const judged = await result(service, "compare_process_captures", { left: reference(left), right: reference(right), trace_spec });
    expect(judged.trace).toMatchObject({ left: { conformance: "conforming", events: 2 }, right: { conformance: "conforming" } });

    const wide = await captured(service, scenario("a", { terminal: { columns: 100, rows: 24 } }));
    expect(await failure(service, "compare_process_captures", { left: reference(left), right: reference(wide) })).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "comparison_contract.terminal.columns" }] } });
    expect(await failure(service, "compare_process_captures", { left: reference(left), right: reference(right), max_capture_age_ms: 0 })).toMatchObject({ code: "invalid_request", details: { issues: [{ path: "left" }] } });
    expect(await failure(service, "compare_process_captures", { left: reference(left), right: reference(`ev_${"0".repeat(64)}`) })).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "missing" } });
    await service.close();
  });
});
