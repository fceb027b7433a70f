import { isReaError } from "@rea/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EngineClock } from "../../src/kit/engine-clock.js";
import { engineClosed } from "../../src/kit/engine-errors.js";
import { RequestQueue } from "../../src/kit/request-queue.js";

/** A clock that stands until it is moved; timers fire exactly when they are due, in the order of their times. */
class StandingClock implements EngineClock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly act: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  get armed(): number {
    return this.#timers.size;
  }

  /** What a timer settles is told before time goes on. */
  async move(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.act();
      await told();
    }
    this.#now = until;
  }
}

interface Call {
  readonly number: number;
  readonly deadline: number;
  readonly controller: AbortController;
  cancelledAt: number | null;
  settledAt: number | null;
  outcome: string | null;
}

/** One run of a schedule, with everything that can be seen from outside. */
class Schedule {
  readonly clock = new StandingClock();
  readonly calls: Call[] = [];
  /** Ids on the wire, in the order in which they were sent; the number of a call is in its line. */
  readonly sent: { readonly id: number; readonly number: number }[] = [];
  readonly cancels: number[] = [];
  readonly queue = new RequestQueue({
    providerId: "p",
    clock: this.clock,
    wire: {
      send: (line) => {
        const [id = 0, number = 0] = line.split(" ").map(Number);
        expect(this.wire).toBeNull();
        this.sent.push({ id, number });
        this.wire = id;
      },
      cancel: (id) => {
        expect(id).toBe(this.wire);
        this.cancels.push(id);
      },
    },
  });
  wire: number | null = null;

  submit(timeoutMs: number): void {
    const { queued_requests: before } = this.queue.activity();
    const controller = new AbortController();
    const call: Call = { number: this.calls.length, deadline: this.clock.now() + timeoutMs, controller, cancelledAt: null, settledAt: null, outcome: null };
    this.calls.push(call);
    const settle = (outcome: string): void => {
      expect(call.outcome).toBeNull();
      call.outcome = outcome;
      call.settledAt = this.clock.now();
    };
    const encode = (id: number): string => `${String(id)} ${String(call.number)}`;
    this.queue.submit({ operation: "o", timeoutMs, signal: controller.signal, encode }).then(
      (value) => settle(`answer ${JSON.stringify(value)}`),
      (error: unknown) => settle(isReaError(error) ? `${error.code} ${String(Object(error.details).reason ?? Object(error.details).phase ?? "")}` : "other"),
    );
    expect(this.queue.activity().queued_requests).toBeLessThanOrEqual(32);
    if (before === 32) expect(this.queue.activity().queued_requests).toBe(32);
  }

  cancel(pick: number): void {
    const call = this.calls[pick % Math.max(1, this.calls.length)];
    if (call === undefined) return;
    if (call.outcome === null) call.cancelledAt ??= this.clock.now();
    call.controller.abort();
  }

  answer(): void {
    if (this.wire === null) return;
    const { id, number } = this.sent.at(-1) ?? { id: 0, number: 0 };
    this.wire = null;
    expect(this.queue.take({ kind: "answer", id, result: number })).toBe(true);
    // A late echo of the same answer satisfies nobody.
    expect(this.queue.take({ kind: "answer", id, result: -1 })).toBe(false);
  }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("submit" as const), ms: fc.integer({ min: 1, max: 300 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancel" as const), pick: fc.nat(200) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("answer" as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("move" as const), ms: fc.integer({ min: 0, max: 120 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("burst" as const), count: fc.integer({ min: 1, max: 60 }) }) },
);

/** Lets what was settled be told; an answer takes a few turns of promises to reach its caller. */
async function told(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

describe("a queue", () => {
  it("keeps the order, lets nobody wait beyond its deadline, and has at most one request on the wire, under any schedule", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), fc.boolean(), async (steps, dies) => {
        const run = new Schedule();
        for (const each of steps) {
          if (each.kind === "submit") run.submit(each.ms);
          else if (each.kind === "cancel") run.cancel(each.pick);
          else if (each.kind === "answer") run.answer();
          else if (each.kind === "move") await run.clock.move(each.ms);
          else for (let count = 0; count < each.count; count += 1) run.submit(1_000);
          await told();
          for (const call of run.calls) if (call.outcome === null) expect(run.clock.now()).toBeLessThan(call.deadline);
        }
        if (dies) run.queue.fail(engineClosed("p"));
        await told();
        await run.clock.move(2_000);
        judge(run, dies);
      }),
      { numRuns: 300 },
    );
  });
});

function judge(run: Schedule, dies: boolean): void {
  const numbers = run.sent.map(({ number }) => number);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const { number, outcome, settledAt, deadline, cancelledAt } of run.calls) {
    expect(outcome).not.toBeNull();
    expect(settledAt).toBeLessThanOrEqual(deadline);
    if (outcome?.startsWith("answer") === true) expect(outcome).toBe(`answer ${String(number)}`);
    if (outcome === "cancelled ") expect(settledAt).toBe(cancelledAt);
    if (outcome === "provider_timeout engine_queue") expect(numbers).not.toContain(number);
    if (outcome === "provider_timeout engine_request") expect(numbers).toContain(number);
    if (outcome === "provider_unavailable closed") expect(dies).toBe(true);
  }
  expect(run.calls.some(({ outcome }) => outcome === "other")).toBe(false);
  expect(run.clock.armed).toBe(0);
  expect(run.queue.activity().queued_requests).toBe(0);
  if (!dies && run.wire !== null) expect(run.queue.activity().active).toMatchObject({ request_id: String(run.wire) });
}
