import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, directory, result, runtimeWith } from "./support.js";

const real = (stateDirectory: string) =>
  runtimeWith({ providers: undefined, auxiliary: undefined, detect: undefined, stateDirectory });

/** A small executable of the host; other hosts have other formats, which the engine reads too. */
function program(): string {
  const path = join(directory(), "program");
  copyFileSync("/usr/bin/env", path);
  return path;
}
const hasProgram = existsSync("/usr/bin/env");

test.skipIf(!hasProgram)("the embedded engine answers through the session, and reports progress that never decreases", async () => {
  const service = real(directory());
  const path = program();
  expect(await result(service, "open_binary", { path })).toMatchObject({
    kind: "executable",
    binding: { provider: { id: "rea-native" }, selection_source: "embedded-default" },
  });
  const segments = await result(service, "list_segments");
  expect(segments.items.length).toBeGreaterThan(0);
  const completed: number[] = [];
  const tool = service.tools.find(({ name }) => name === "list_procedures");
  if (tool === undefined) throw new Error("no tool");
  const { invoke } = await import("@rea/tool");
  const reply = await invoke(tool, {}, service.host, {
    signal: new AbortController().signal,
    progressSink: (update) => completed.push(update.completed),
  });
  expect(reply.ok).toBe(true);
  expect(completed).toEqual([...completed].sort((a, b) => a - b));
  expect((await result(service, "binary_session")).analysis_run.process_lineage).toEqual({ status: "not_observed" });
  expect(await service.close()).toEqual({ remaining: [] });
});

test.skipIf(!hasProgram)("an annotation outlives the session, and a snapshot from before it is not answered from", async () => {
  const state = directory();
  const path = program();
  const snapshot = join(directory(), "s.json");
  const address = "0x0";
  const first = real(state);
  await result(first, "open_binary", { path });
  const before = await call(first, "comment", { address });
  expect(before).toMatchObject({ ok: true, value: { result: null } });
  const saved = await result(first, "close_binary", { snapshot_path: snapshot });
  expect(saved.entries).toBe(1);

  const second = real(state);
  await result(second, "open_binary", { path, snapshot_path: snapshot });
  // The same question before any annotation: the saved answer, with the id it had.
  expect(await call(second, "comment", { address })).toEqual(before);
  const at = (await result(second, "list_segments")).items[0].start;
  expect(await result(second, "set_comment", { address: at, comment: "mine" })).toBe(true);
  const after = await call(second, "comment", { address });
  expect(after).toMatchObject({ ok: true, value: { evidence: { parameters: { annotations_sha256: expect.any(String) } } } });
  await second.close();
  await first.close();

  const third = real(state);
  await result(third, "open_binary", { path });
  expect(await result(third, "comment", { address: at })).toBe("mine");
  await third.close();
  expect(readdirSync(join(state, "annotations"))).toHaveLength(1);
});

test.skipIf(!hasProgram)("a call that is cancelled during the analysis says so, and the next one is answered", async () => {
  const service = real(directory());
  await result(service, "open_binary", { path: process.execPath });
  const controller = new AbortController();
  const analysing = call(service, "list_procedures", { limit: 1 }, controller.signal);
  setImmediate(() => controller.abort());
  expect(await analysing).toMatchObject({ ok: false, error: { code: "cancelled" } });
  expect((await result(service, "binary_session")).evidence.records).toBe(0);
  expect((await result(service, "list_segments", { limit: 1 })).items).toHaveLength(1);
  await service.close();
});
