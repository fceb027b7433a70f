import { dirname, join } from "node:path";
import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { call, directory, failure, result, runtimeWith, writeTemporary } from "./support.js";

/**
 * Stands in for Swift's own program, which no package of this platform brings: it copies its input and replaces the
 * mangled names that it finds, as `swift-demangle` documents it for input without arguments.
 */
function standIn(body: string): string {
  const program = `#!${process.execPath}
    if (process.argv.includes("--version")) { console.log("\\nStand-in version 5.9"); process.exit(0); }
    let text = "";
    process.stdin.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => { ${body} });`;
  return dirname(writeTemporary("swift-demangle", program, 0o755));
}

const known = `{ "$s4Main3DogC": "Main.Dog", "_$sSS": "Swift.String", "_TtC4Main3Cat": "Main.Cat" }`;
const copying = `process.stdout.write(text.replace(/(_T|_?\\$[sS])[_a-zA-Z0-9$.]+/g, (name) => (${known})[name] ?? name));`;
const service = (path: string) => runtimeWith({ env: { PATH: path } });
const availability = async (path: string) => {
  const { tool_availability: entries } = await result(service(path), "binary_session");
  return entries.find(({ name }: { name: string }) => name === "demangle_swift");
};

describe.skipIf(process.platform === "win32")("demangle_swift", () => {
  it("is unsupported on a host without the program, in availability and when called", async () => {
    const empty = directory();
    expect(await availability(empty)).toMatchObject({ available: false, reason: "unsupported_host", remediation: expect.stringContaining("swift-demangle") });
    expect(await failure(service(empty), "demangle_swift", { symbols: ["$s4Main3DogC"] })).toMatchObject({
      code: "unsupported_host",
      details: { required: expect.stringContaining("swift-demangle"), actual: "not found" },
    });
  });

  it("answers each symbol in order, with the program that answered, and needs no target", async () => {
    const path = standIn(copying);
    expect(await availability(path)).toMatchObject({ available: true, reason: "available", remediation: null });
    const own = service(path);
    const symbols = ["$s4Main3DogC", "printf", "_$sSS", "__TtC4Main3Cat", "$s4Main3DogC"];
    const reply = await call(own, "demangle_swift", { symbols });
    expect(reply).toMatchObject({ ok: true, value: { evidence: { subject: null, confidence: "derived", provider: { id: "rea-binary-static" } } } });
    const { items, program, coverage, total, has_more } = await result(own, "demangle_swift", { symbols });
    expect(items).toEqual([
      { symbol: "$s4Main3DogC", demangled: "Main.Dog", ok: true },
      { symbol: "printf", demangled: "printf", ok: false },
      { symbol: "_$sSS", demangled: "Swift.String", ok: true },
      { symbol: "__TtC4Main3Cat", demangled: "Main.Cat", ok: true },
      { symbol: "$s4Main3DogC", demangled: "Main.Dog", ok: true },
    ]);
    expect([coverage.state, total, has_more]).toEqual(["complete", 5, false]);
    expect(program).toMatchObject({ tool: "swift-demangle", tool_version: "Stand-in version 5.9", exit: { code: 0, signal: null }, truncated: false });
    expect(program.executable_sha256).toMatch(/^[0-9a-f]{64}$/);
    await own.close();
  });

  it("passes dashes, quotes and shell syntax as text, and keeps what is no line away from the program", async () => {
    const own = service(standIn(copying));
    const symbols = ["--version", "-h", "$(touch x)", "a\nb", "$s4Main3DogC\r", "\u2028", "$s4Main3DogC"];
    const { items } = await result(own, "demangle_swift", { symbols });
    expect(items.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, false, false, false, false, false, true]);
    expect(items[3].symbol).toBe("a\\u{a}b");
    await own.close();
  });

  it.each([
    ["too few lines", `console.log("one")`],
    ["too many lines", `console.log(text + "more")`],
    ["nothing and a failure", `process.exit(3)`],
    ["nothing but a flood of errors", `process.stderr.write("n".repeat(6_000_000)); setInterval(() => undefined, 1000)`],
  ])("refuses an answer of %s", async (_what, body) => {
    const own = service(standIn(body));
    expect(await failure(own, "demangle_swift", { symbols: ["$s4Main3DogC", "_$sSS"] })).toMatchObject({ code: "unreadable_output" });
    await own.close();
  });

  it("an answer beyond what is kept is cut at a whole line, and says where to go on", async () => {
    const own = service(standIn(`process.stdout.write(text.split("\\n").slice(0, -1).map(() => "n".repeat(1_500_000) + "\\n").join(""))`));
    const { items, coverage, next_offset, has_more, program } = await result(own, "demangle_swift", { symbols: ["$s1aC", "$s1bC", "$s1cC", "$s1dC"] });
    expect([items.length, next_offset, has_more, program.truncated]).toEqual([1, 1, true, true]);
    expect(coverage).toMatchObject({ state: "partial", omissions: [{ reason: "limit_total_bytes", count: 3 }] });
    await own.close();
  });

  it("never runs a relative entry of PATH, and follows links to the program", async () => {
    const path = standIn(copying);
    const linked = directory();
    symlinkSync(join(path, "swift-demangle"), join(linked, "swift-demangle"));
    expect(await availability(`:.:relative/bin`)).toMatchObject({ available: false });
    expect(await availability(`:.:${linked}`)).toMatchObject({ available: true });
  });

  it("is cancelled with the call", async () => {
    const own = service(standIn(`setInterval(() => undefined, 1000)`));
    const reply = await call(own, "demangle_swift", { symbols: ["$s4Main3DogC"] }, AbortSignal.timeout(500));
    expect(reply).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect(await own.close()).toEqual({ remaining: [] });
  });
});
