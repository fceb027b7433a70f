import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { launcher } from "../run-program.js";
import { StubHost } from "./stub-host.js";

describe.skipIf(process.platform !== "linux")("what an engine leaves", () => {
  /** Signals reach nobody while `held`: the processes stay, as ones that hang in the kernel would. */
  function heldBack(): { readonly host: StubHost; hold: (holds: boolean) => void } {
    let held = true;
    const kill = (pid: number, signal: NodeJS.Signals | 0): void => void (held || process.kill(pid, signal));
    return { host: new StubHost("engines", launcher({ kill })), hold: (holds) => (held = holds) };
  }

  it("is named by its close, and tried again by the next one", async () => {
    const { host, hold } = heldBack();
    const engine = await host.open({ deaf: true });
    const left = { kind: "process_group", detail: { pid: engine.run.pid, reason: "not_ended" } };
    const [first, same] = await Promise.all([engine.close(), engine.close()]);
    expect(first).toMatchObject({ state: "incomplete", resources: [left] });
    expect(same).toMatchObject({ resources: [left] });
    expect(readdirSync(host.parent)).toEqual([]);
    hold(false);
    expect(await engine.close()).toMatchObject({ state: "proven", resources: [] });
    await host.expectNothingLeft();
  });

  it("by a start that failed is the error, with the first error as its cause", async () => {
    const { host, hold } = heldBack();
    await expect(host.open({ fault: "wrong_token", deaf: true })).rejects.toMatchObject({
      code: "cleanup_incomplete",
      details: { operation: "start_engine", cleanup: "incomplete", cause: "provider_unavailable", resources: [{ kind: "process_group" }] },
    });
    hold(false);
    expect(await host.launcher.close()).toEqual({ remaining: [] });
    await host.expectNothingLeft();
  });
});
