import fc from "fast-check";
import { expect, it } from "vitest";
import { cleanUp } from "../src/cleanup.js";
import type { CleanupReport } from "../src/index.js";
import { RunMembers } from "../src/run-members.js";
import { SimulatedProcesses } from "./simulated-processes.js";

const rootPid = 1_000;

function runOf(world: SimulatedProcesses) {
  const row = world.add({ pid: rootPid });
  const held = (): boolean => world.processes.get(rootPid)?.row.startTime === row.startTime;
  const members = new RunMembers(world.table, { row, token: "t", mark: null, held, container: null, plumbing: new Set() }, 1);
  const clean = (): Promise<CleanupReport> =>
    cleanUp(
      {
        ownership: () => ({ proof: members.proofOfGroup(), stronger: [], limitations: [] }),
        collect: () => members.collect(),
        power: { table: world.table, kill: world.kill },
        endContainer: null,
        containerEmpty: null,
        endRoot: () => world.end(rootPid),
        rootEnded: () => !held(),
      },
      { settleMs: 0, killMs: 0 },
    );
  return { row, members, clean };
}

it.each(Array.from({ length: 16 }, (_, index) => index + 1))(
  "a pid that is given out again at look %i, between observation and signal, is not signalled",
  async (look) => {
    const world = new SimulatedProcesses();
    const { members, clean } = runOf(world);
    world.add({ pid: 1_001, parentPid: rootPid, ignoresTerm: true });
    await members.collect();
    let looks = 0;
    world.onTurn = () => {
      looks += 1;
      if (looks !== look) return;
      world.end(1_001);
      world.add({ pid: 1_001, ours: false });
    };
    expect(await clean()).toMatchObject({ state: "proven", resources: [] });
    expect(world.harmed).toEqual([]);
  },
);

it("a member that exits while it is validated is no failure", async () => {
  const world = new SimulatedProcesses();
  const { clean } = runOf(world);
  world.add({ pid: 1_001, parentPid: rootPid, ignoresTerm: true });
  let turns = 0;
  world.onTurn = () => (turns += 1) === 4 && world.end(1_001);
  expect(await clean()).toMatchObject({ state: "proven", resources: [] });
});

it("zombies of the group count as gone", async () => {
  const world = new SimulatedProcesses();
  const { clean } = runOf(world);
  world.add({ pid: 1_001, groupId: rootPid, sessionId: rootPid, zombie: true, token: "absent" });
  expect(await clean()).toMatchObject({ state: "proven", resources: [] });
});

it.each([
  ["unreadable", "environment_unreadable"],
  ["absent", "token_mismatch"],
] as const)("a process with a number of the run and an environment that is %s is reported and not signalled", async (token, reason) => {
  const world = new SimulatedProcesses();
  const { clean } = runOf(world);
  world.end(rootPid);
  world.add({ pid: 1_005, groupId: rootPid, sessionId: rootPid, token, ours: false });
  const other = world.add({ pid: 1_006, token: "carried" });
  const report = await clean();
  expect(report).toEqual({
    state: "incomplete",
    ownership_proof: "group_and_token",
    resources: [{ kind: "process_group", detail: { pid: 1_005, reason } }],
  });
  expect([world.harmed, world.processes.has(other.pid)]).toEqual([[], false]);
});

it("a member whose environment cannot be read is ours by its session, and the proof says so", async () => {
  const world = new SimulatedProcesses();
  const { clean } = runOf(world);
  world.add({ pid: 1_001, groupId: rootPid, sessionId: rootPid, token: "unreadable" });
  expect(await clean()).toMatchObject({ state: "proven", ownership_proof: "group_only" });
});

it("who survives KILL is named", async () => {
  const world = new SimulatedProcesses();
  const { clean } = runOf(world);
  world.onTurn = () => void (world.processes.has(1_001) || world.add({ pid: 1_001, startTime: "150" }));
  expect(await clean()).toMatchObject({
    state: "incomplete",
    resources: [{ kind: "process_group", detail: { pid: 1_001, reason: "not_ended" } }],
  });
});

it("nothing is signalled by pid where nothing is proved, and the child ends through its handle", async () => {
  const world = new SimulatedProcesses();
  world.add({ pid: rootPid });
  const report = await cleanUp(
    {
      ownership: () => ({ proof: "unproven", reason: "no process table", stronger: [], limitations: [] }),
      collect: () => Promise.reject(new Error("no table")),
      power: { table: world.table, kill: world.kill },
      endContainer: null,
      containerEmpty: null,
      endRoot: () => world.end(rootPid),
      rootEnded: () => !world.processes.has(rootPid),
    },
    { settleMs: 0, killMs: 0 },
  );
  expect(report).toEqual({ state: "unproven", ownership_proof: "unproven", ownership_reason: "no process table", resources: [] });
  expect(world.signals).toEqual([]);
});

const event = fc.record({
  after: fc.integer({ min: 1, max: 14 }),
  kind: fc.constantFrom("end", "fork", "leave", "stranger", "replace", "replace", "end-root"),
  pick: fc.nat({ max: 20 }),
});

it("in whatever order processes fork, leave, end and pids are given out again, no stranger is ever signalled", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      const world = new SimulatedProcesses();
      const { members, clean } = runOf(world);
      world.add({ pid: 1_001, parentPid: rootPid, groupId: rootPid, sessionId: rootPid });
      await members.collect();
      let turn = 0;
      world.onTurn = () => {
        turn += 1;
        for (const due of events.filter(({ after }) => after === turn)) happen(world, due.kind, due.pick);
      };
      await clean();
      expect(world.harmed).toEqual([]);
      world.onTurn = () => undefined;
      await clean();
      expect(world.harmed).toEqual([]);
      expect([...world.processes.values()].filter(({ ours, token }) => ours && token === "carried")).toEqual([]);
    }),
    { numRuns: 150 },
  );
}, 120_000);

function happen(world: SimulatedProcesses, kind: string, pick: number): void {
  const ours = [...world.processes.values()].filter((each) => each.ours);
  const chosen = ours[pick % Math.max(1, ours.length)];
  const free = Array.from({ length: 12 }, (_, index) => rootPid + ((index + pick) % 12)).find((pid) => world.isFree(pid));
  if (kind === "end" && chosen !== undefined) world.end(chosen.row.pid);
  if (kind === "replace" && chosen !== undefined) {
    world.end(chosen.row.pid);
    if (world.isFree(chosen.row.pid)) world.add({ pid: chosen.row.pid, ours: false });
  }
  if (kind === "end-root") world.end(rootPid);
  if (free === undefined) return;
  if (kind === "stranger") world.add({ pid: free, ours: false });
  if (chosen === undefined) return;
  const { pid, groupId, sessionId } = chosen.row;
  if (kind === "fork") world.add({ pid: free, parentPid: pid, groupId, sessionId, ignoresTerm: pick % 2 === 0 });
  if (kind === "leave") world.add({ pid: free, parentPid: 1 });
}
