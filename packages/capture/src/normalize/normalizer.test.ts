import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNormalizer, processAliases, type NormalizerOptions } from "./normalizer.js";
import type { TextRange } from "./tokens.js";

const rules = { paths: false, pids: false, ports: false, time_bucket_ms: 10, patterns: [] };

/** Good enough for patterns without back-tracking. */
function* find(pattern: string, text: string): Generator<TextRange> {
  for (const match of text.matchAll(new RegExp(pattern, "gu"))) yield { start: match.index, end: match.index + match[0].length };
}

function normalizer(more: Partial<NormalizerOptions["rules"]>, options: Partial<NormalizerOptions> = {}) {
  return createNormalizer({
    rules: { ...rules, ...more },
    paths: [],
    values: [],
    pids: new Map(),
    compile: (pattern) => (text) => find(pattern, text),
    ...options,
  });
}

describe("ports", () => {
  const { text } = normalizer({ ports: true });

  it.each([
    ["http://localhost:8080/", "http://localhost:<port>/"],
    ["127.0.0.1:54321 and [::1]:54321", "127.0.0.1:<port> and [::1]:<port>"],
    ["bound to :8080, *:9090", "bound to :<port>, *:<port>"],
    ["see http://localhost:8080.", "see http://localhost:<port>."],
    ["example.org:44321", "example.org:<port>"],
    ["nc 127.0.0.1 4444", "nc 127.0.0.1 <port>"],
    ["127.0.0.1:1", "127.0.0.1:<port>"],
    [":65535", ":<port>"],
  ])("are replaced in %j", (before, after) => {
    expect(text(before)).toBe(after);
  });

  it.each([
    "listening on 8080.",
    "порт8080",
    "порт:8080я",
    "localhost:8080кб",
    "localhost:80b",
    "at 12:30:45",
    "it is 12:30",
    "main.c:120:4",
    "src/main.rs:2048",
    "error: 8080 items",
    "Total: 42.",
    "Total:42.",
    "from 127.0.0.1 4444.",
    "localhost:99999",
    "localhost:0",
    "1.5:8080x",
    ":8080.5",
    "x²:٣٤٥",
    "localhost :８０８０",
  ])("are not seen in %j", (given) => {
    expect(text(given)).toBe(given);
  });
});

describe("process numbers", () => {
  const { text } = normalizer({ pids: true }, { pids: processAliases([4711, 4712, 4711, 7]) });

  it("become words in order of first sight", () => {
    expect(text("[4711] started 4712; /proc/4712/fd")).toBe("[<pid:0>] started <pid:1>; /proc/<pid:1>/fd");
  });

  it.each(["47110", "a4711", "4711ms", "4711.5", "0.4711", "7 files"])("are not seen in %j", (given) => {
    expect(text(given)).toBe(given);
  });

  it("end a sentence like any other word", () => {
    expect(text("I am 4711.")).toBe("I am <pid:0>.");
  });
});

describe("paths and values", () => {
  const known = { paths: [{ value: "/tmp/run", alias: "<root>" }, { value: "/tmp/run/home", alias: "<home>" }], values: [{ value: "c0ffee", alias: "<token>" }] };
  const { text } = normalizer({ paths: true }, known);

  it("are replaced as a whole, the longest first", () => {
    expect(text("cd /tmp/run/home; ls /tmp/run/a /tmp/run.")).toBe("cd <home>; ls <root>/a <root>.");
  });

  it.each(["/tmp/runner", "/tmp/run-2", "/tmp/run.txt", "x/tmp/run", "/tmp/runé"])("are not seen in %j", (given) => {
    expect(text(given)).toBe(given);
  });

  it("are left where the rules do not ask for paths, values of the run excepted", () => {
    expect(normalizer({}, known).text("/tmp/run /c0ffee/x")).toBe("/tmp/run /<token>/x");
  });
});

describe("patterns", () => {
  it("come first, and what they put in is not touched again", () => {
    const { text } = normalizer({ ports: true, patterns: [{ pattern: "id=[0-9]+", replacement: "id=localhost:8080" }] });
    expect(text("id=5 localhost:9090")).toBe("id=localhost:8080 localhost:<port>");
  });

  it("never cut a word", () => {
    const { text } = normalizer({ patterns: [{ pattern: "[0-9]+", replacement: "N" }] });
    expect(text("12 a12 12б 1_2 (3)")).toBe("N a12 12б 1_2 (N)");
  });

  it("put their replacement in literally", () => {
    const { text } = normalizer({ patterns: [{ pattern: "x", replacement: "$&$1" }] });
    expect(text("x")).toBe("$&$1");
  });
});

describe("any text", () => {
  const all = normalizer(
    { ports: true, pids: true, paths: true, patterns: [{ pattern: "ab+", replacement: "<x>" }] },
    { pids: processAliases([123, 4567]), paths: [{ value: "/a/b", alias: "<p>" }] },
  );
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom("1", "2", "3", ":", ".", " ", "/", "a", "b", "[", "]", "é", "\ud83d", "localhost", "123", "4567") }));

  it("keeps everything that is no rule's", () => {
    fc.assert(
      fc.property(texts, (given) => {
        expect(normalizer({}).text(given)).toBe(given);
      }),
    );
  });

  it("is normalised once and for all: a second pass finds no port, process or path", () => {
    fc.assert(
      fc.property(texts, (given) => {
        const once = all.text(given);
        expect(all.text(once)).toBe(once);
      }),
    );
  });

  it("has its lines normalised alike alone and together", () => {
    fc.assert(
      fc.property(fc.array(texts.map((one) => one.replace(/[\n\r]/g, "")), { minLength: 1, maxLength: 4 }), (lines) => {
        expect(all.text(lines.join("\n"))).toBe(lines.map((line) => all.text(line)).join("\n"));
      }),
    );
  });
});

describe("times", () => {
  it("fall into buckets", () => {
    const { timeMs } = normalizer({ time_bucket_ms: 10 });
    expect([0, 9, 10, 19, 25].map(timeMs)).toEqual([0, 0, 10, 10, 20]);
  });
});
