import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Redactor } from "../src/sensitive/redactor.js";
import { ScreenThread } from "../src/terminal/screen-thread.js";

function screen(pressure: (high: boolean) => void = () => undefined): ScreenThread {
  return new ScreenThread({ columns: 10, rows: 3, scrollback: 100, redactor: new Redactor([]), reply: () => undefined, pressure });
}

describe("the thread of a screen", () => {
  it("changes its size after what was written before, and before what was written after", async () => {
    const own = screen();
    own.write(Buffer.from("0123456789ab\r\n"));
    own.resize({ columns: 4, rows: 5 });
    own.write(Buffer.from("xy"));
    const { columns, rows, lines } = await own.look();
    await own.close();
    expect([columns, rows, lines]).toEqual([4, 5, ["0123", "4567", "89ab", "xy", ""]]);
  });

  it("tells when too much waits and when it may go on, and lets go when it ends", async () => {
    const told: boolean[] = [];
    const own = screen((high) => told.push(high));
    const piece = Buffer.alloc(1024 * 1024, "line\r\n");
    for (let written = 0; written < 6; written += 1) own.write(piece);
    expect(told).toEqual([true]);
    await own.look();
    expect(told).toEqual([true, false]);
    for (let written = 0; written < 6; written += 1) own.write(piece);
    const look = own.look();
    await own.close();
    await expect(look).rejects.toThrow("ended");
    expect(told).toEqual([true, false, true, false]);
    await own.close();
  });

  it("normalises much output while the thread that asked goes on with other things", async () => {
    const own = screen();
    await own.ready;
    const facts = { rules: { paths: false, pids: true, ports: true, time_bucket_ms: 10, patterns: [{ pattern: "id=[0-9]+", replacement: "<id>" }] }, pids: [4711], paths: [], values: [{ value: "/tmp/own", alias: "<run>" }] };
    let turns = 0;
    const beat = setInterval(() => (turns += 1), 1);
    const line = "4711 at 127.0.0.1:8080 id=7 in /tmp/own\n";
    const { terminal, frames } = await own.normalize({ facts, terminal: Buffer.from(line.repeat(20_000)), frames: [["plain"], ["pid 4711", "x"]] });
    clearInterval(beat);
    expect(terminal).toBe("<pid:0> at 127.0.0.1:<port> <id> in <run>\n".repeat(20_000));
    expect(frames).toEqual([null, ["pid <pid:0>", "x"]]);
    expect(turns).toBeGreaterThan(0);
    const late = own.normalize({ facts, terminal: Buffer.from(line.repeat(20_000)), frames: [] });
    await own.close();
    await expect(late).rejects.toThrow("ended");
  });

  it.skipIf(process.platform !== "linux")("prints nothing of its own, however often it is resized under much output", () => {
    const built = (name: string): string => JSON.stringify(join(import.meta.dirname, "..", "..", name, "dist", "index.js"));
    const script = `
      import { createLauncher } from ${built("lineage")};
      import { captureProcess, parseScenario } from ${built("capture")};
      const events = Array.from({ length: 150 }, (_, index) => ({ kind: "resize", at_ms: index, columns: 1 + (index * 37) % 1000, rows: 1 + (index * 53) % 200 }));
      const scenario = parseScenario({ executable: "/bin/sh", arguments: ["-c", "yes abcdefgh | head -c 2000000"], events, terminal: { scrollback: 10000 }, timeout_ms: 120000 });
      const launcher = createLauncher({ cgroups: false });
      const host = { launcher, environment: { PATH: "/usr/bin:/bin" }, version: "test" };
      const { capture } = await captureProcess({ scenario, host, signal: new AbortController().signal, progress: { report: () => undefined } });
      await launcher.close();
      console.log(capture.exit.code);
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["0\n", ""]);
  }, 240_000);
});
