import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ask, StubHost } from "./stub-host.js";

/** How many engines in a row; the soak run asks for more. */
const rounds = Number(process.env["REA_ENGINE_ROUNDS"] ?? "20");
/** How many questions in a row to one engine. */
const questions = rounds * 20;

describe.skipIf(process.platform !== "linux")("many engines in a row", () => {
  it("opened, asked, cancelled at random and closed leave no process, handle or directory behind", async () => {
    const host = new StubHost();
    // What is loaded and opened once is open by now.
    await round(host, false);
    await host.expectNothingLeft();
    const before = held();
    for (let each = 0; each < rounds; each += 1) await round(host);
    await host.expectNothingLeft();
    await expect.poll(held, { timeout: 20_000 }).toEqual(before);
  });

  it("and many questions to one do not grow anything", async () => {
    const host = new StubHost();
    const engine = await host.open();
    await ask(engine, "echo");
    const before = held();
    for (let each = 0; each < questions; each += 1) expect(await ask(engine, "echo", { each })).toEqual({ each });
    expect(held()).toEqual(before);
    await engine.close();
    await host.expectNothingLeft();
  });
});

/** An engine that is asked a few things and given up at any moment, or closed. */
async function round(host: StubHost, cancels = Math.random() < 0.5): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => cancels && controller.abort(), Math.random() * 400);
  const { signal } = controller;
  try {
    const engine = await host.open({ deaf: Math.random() < 0.2 }, {}, { signal });
    const methods = ["echo", "slow", "child", "echo", "silent"].filter(() => Math.random() < 0.7);
    const asked = methods.map((method) => ask(engine, method, { ms: 30 }, { signal, timeoutMs: 200 }));
    for (const { status, ...told } of await Promise.allSettled(asked)) {
      if (status === "rejected") expect(told).toMatchObject({ reason: { code: expect.stringMatching(/^(?:cancelled|provider_timeout)$/) } });
    }
    expect(await engine.close()).toMatchObject({ state: "proven", resources: [] });
  } catch (error) {
    expect(error).toMatchObject({ code: "cancelled" });
  } finally {
    clearTimeout(timer);
  }
}

/** Open descriptors and what keeps this process going, by kind. */
function held(): object {
  const kinds = process.getActiveResourcesInfo().filter((kind) => /^(?:TCP|Pipe|Process|FSEvent)/.test(kind));
  return { descriptors: readdirSync("/proc/self/fd").length, kinds: kinds.sort() };
}
