import fc from "fast-check";
import { expect, it } from "vitest";
import type { ProcessRow } from "../src/index.js";
import { YoungerProcesses } from "../src/younger-processes.js";
import { SimulatedProcesses } from "./simulated-processes.js";

const pids = 40;

/** A world whose pids are given out in turn, and again from the beginning. */
class TurningWorld extends SimulatedProcesses {
  fork(): ProcessRow | null {
    for (let tried = 0; tried < pids; tried += 1) {
      this.lastPid = ((this.lastPid ?? 0) % pids) + 1;
      if (!this.processes.has(this.lastPid)) return this.add({ pid: this.lastPid });
    }
    return null;
  }
}

const step = fc.oneof(fc.constant("look" as const), fc.constant("fork" as const), fc.nat({ max: pids }));

it("finds every process of a run's age, whatever ends, begins and takes whose number", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 30 }), fc.array(step, { maxLength: 200 }), async (before, steps) => {
      const world = new TurningWorld();
      for (let each = 0; each < before; each += 1) world.fork();
      const root = world.fork();
      if (root === null) return;
      const younger = new YoungerProcesses(world.table, root);
      const ofAge = (rows: readonly ProcessRow[]): ProcessRow[] => rows.filter(({ startTime }) => Number(startTime) >= Number(root.startTime));
      let forks = 0;
      for (const one of [...steps, "look" as const]) {
        if (one === "fork") forks += world.fork() === null ? 0 : 1;
        else if (one !== "look") world.end(one);
        // More than all pids between two looks is what the time between them rules out.
        if (one !== "look" && forks < pids - 1) continue;
        forks = 0;
        const [found, all] = [await younger.list(), await world.table.list()];
        expect(ofAge(found.rows)).toEqual(ofAge(all.rows));
      }
    }),
    { numRuns: 300 },
  );
});

it("reads a process that is older than the run once", async () => {
  const world = new TurningWorld();
  for (let each = 0; each < 20; each += 1) world.fork();
  const root = world.fork();
  if (root === null) throw new Error("no pid is free");
  const younger = new YoungerProcesses(world.table, root);
  expect((await younger.list()).rows.length).toBe(21);
  world.fork();
  expect((await younger.list()).rows.map(({ pid }) => pid)).toEqual([21, 22]);
});
