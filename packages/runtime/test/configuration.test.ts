import { describe, expect, test } from "vitest";
import { continuousProgress } from "../src/continuous-progress.js";
import { parseConfiguration } from "../src/configuration.js";
import { createLogger } from "../src/logger.js";
import { createProgress, type ProgressUpdate } from "@rea/core";
import fc from "fast-check";

describe("configuration", () => {
  test("unset and empty settings are undefined", () => {
    const configuration = parseConfiguration({ REA_LOG_LEVEL: "" });
    expect(configuration.logLevel()).toBeUndefined();
    expect(configuration.analysisProvider()).toBeUndefined();
  });

  test("an invalid value names the setting and the constraint, never the value", () => {
    const configuration = parseConfiguration({ REA_LOG_LEVEL: "SECRET", REA_ANALYSIS_PROVIDER: "SECRET" });
    for (const [read, setting] of [
      [() => configuration.logLevel(), "REA_LOG_LEVEL"],
      [() => configuration.analysisProvider(), "REA_ANALYSIS_PROVIDER"],
    ] as const) {
      expect(read).toThrow(expect.objectContaining({ code: "configuration_invalid", details: expect.objectContaining({ setting }) }));
      expect(read).not.toThrow(/SECRET/);
    }
  });
});

describe("log", () => {
  const written = (env: { readonly [name: string]: string }, work: (log: ReturnType<typeof createLogger>) => void) => {
    const lines: string[] = [];
    work(createLogger(parseConfiguration(env), { defaultLevel: "info", destination: { write: (line) => lines.push(line) } }));
    return lines.map((line) => JSON.parse(line));
  };

  test("one event, fields, no prose", () => {
    const [line] = written({}, (log) => log.event("info", "target_opened", { kind: "executable" }));
    expect(line).toMatchObject({ event: "target_opened", kind: "executable" });
    expect(line).not.toHaveProperty("msg");
  });

  test("the level of the environment wins, and an invalid one is an event", () => {
    expect(written({ REA_LOG_LEVEL: "silent" }, (log) => log.event("error", "x"))).toEqual([]);
    expect(written({ REA_LOG_LEVEL: "loud" }, (log) => log.event("debug", "x"))).toMatchObject([
      { event: "configuration_invalid", setting: "REA_LOG_LEVEL" },
    ]);
  });
});

test("parts of a call that each count from zero add up to progress that never decreases", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(1000), fc.option(fc.nat(1000))), { maxLength: 40 }),
      (reports) => {
        const seen: ProgressUpdate[] = [];
        const progress = createProgress((update) => seen.push(update), { now: () => seen.length * 1000 });
        for (const [phase, completed, total] of reports) {
          // A part that reports more than its own total is wrong by itself.
          const bounded = total === null ? {} : { total: Math.max(total, completed) };
          continuousProgress(progress).report({ phase, completed, message: "m", ...bounded });
        }
        expect(seen).toHaveLength(reports.length);
      },
    ),
  );
});
