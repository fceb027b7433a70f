import { describe, expect, it } from "vitest";
import { ask, StubHost } from "./stub-host.js";

describe.skipIf(process.platform !== "linux")("an engine", () => {
  it("answers over its connection, is observed, and leaves nothing when it is closed", async () => {
    const host = new StubHost();
    const engine = await host.open();
    expect(engine.lineage()).toMatchObject({ status: "verified", launcher_pid: engine.run.pid, descendants: [] });
    expect(await ask(engine, "echo", { text: "ü\u2028\u0000" })).toEqual({ text: "ü\u2028\u0000" });
    const child = await ask(engine, "child");
    expect(await engine.observe()).toMatchObject({ descendants: [{ pid: child }] });
    expect(await engine.close()).toMatchObject({ state: "proven", ownership_proof: "group_and_token", resources: [] });
    await host.expectNothingLeft();
  });
});
