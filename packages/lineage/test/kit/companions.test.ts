import { ReaError, type JsonObject } from "@rea/core";
import { describe, expect, it } from "vitest";
import type { EngineSpec, OwnedProcess } from "../../src/index.js";
import { launcher, program } from "../run-program.js";
import { ask, StubHost } from "./stub-host.js";

describe.skipIf(process.platform !== "linux")("what an adapter adds to a start", () => {
  /** A host whose engines have a second process beside them. */
  function withCompanion(host: StubHost): { readonly spec: ReturnType<StubHost["spec"]>; readonly companions: OwnedProcess[] } {
    const companions: OwnedProcess[] = [];
    const spec = host.spec();
    const prepare: typeof spec.prepare = async (session) => {
      const companion = await host.launcher.start(program("/bin/sleep", ["600"], { environment: { MARK: host.mark } }));
      companions.push(companion);
      session.keep(companion);
      return spec.prepare(session);
    };
    return { spec: { ...spec, prepare }, companions };
  }

  it("a process kept beside an engine lives as long as it, and ends after a close and after a death", async () => {
    const host = new StubHost();
    const { spec, companions } = withCompanion(host);
    const closed = await host.open({}, spec);
    expect((await companions[0]?.observe())?.status).toBe("verified");
    expect(await closed.close()).toMatchObject({ state: "proven", resources: [] });
    const killed = await host.open({}, spec);
    await expect(ask(killed, "kill")).rejects.toMatchObject({ code: "provider_unavailable" });
    await host.expectNothingLeft();
  });

  it("a process kept beside an engine ends with a start that fails, and the adapter's reason is the start's", async () => {
    const host = new StubHost();
    const { spec } = withCompanion(host);
    const reason = new ReaError("provider_unavailable", { message: "The adapter saw a dialog.", details: { reason: "unsupported_build" } });
    const prepare: typeof spec.prepare = async (session) => {
      const launch = await spec.prepare(session);
      setTimeout(() => session.fail(reason), 100);
      return { ...launch, executable: "/bin/sleep", arguments: ["600"] };
    };
    await expect(host.open({}, { ...spec, prepare })).rejects.toBe(reason);
    await host.expectNothingLeft();
  });

  it("an engine whose program hands over is there until its connection ends", async () => {
    const host = new StubHost();
    const elsewhere = launcher();
    const prepare = (exit: string, told: JsonObject = {}): EngineSpec["prepare"] => async (session) => {
      const { executable, arguments: args, environment } = await host.spec(told).prepare(session);
      // Another owner's, as a program is that the host's own launcher starts.
      await elsewhere.start(program(executable, args, { environment }));
      return { executable, arguments: ["-e", exit], environment, workingDirectory: session.directory.path };
    };
    const engine = await host.open({}, { prepare: prepare("process.exit(0)"), handsOver: true });
    expect(await ask(engine, "echo", { still: "there" })).toEqual({ still: "there" });
    expect(engine.state).toBe("alive");
    const dying = ask(engine, "exit", { code: 0 });
    await expect(dying).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "connection_ended" } });
    expect(await engine.close()).toMatchObject({ resources: [] });
    const failing = host.open({}, { prepare: prepare("process.exit(3)", { fault: "never_connects" }), handsOver: true });
    await expect(failing).rejects.toMatchObject({ details: { reason: "engine_exited", exit_code: 3 } });
    await elsewhere.close();
    await host.expectNothingLeft();
  });
});
