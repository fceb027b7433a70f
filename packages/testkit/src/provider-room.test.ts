import { spawn } from "node:child_process";
import { mkdirSync, rmdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EngineRoom, nothingLeft, roomsAbsent } from "./provider-room.js";

describe.skipIf(roomsAbsent !== undefined)("a room of engines", () => {
  test("sees a directory, a socket, and processes by where they run, what they hold and what they were told", async () => {
    const room = new EngineRoom("a room\nwith lines");
    expect(room.leftovers()).toEqual(nothingLeft);
    const directory = join(room.parent, "private");
    mkdirSync(directory);
    expect(room.leftovers().directories).toEqual(["private"]);

    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(directory, "s"), resolve));
    expect(room.leftovers().sockets).toEqual(["private/s"]);
    await new Promise((resolve) => server.close(resolve));
    expect(room.leftovers().sockets).toEqual([]);

    const waits = ["-e", "setInterval(() => undefined, 60000)"];
    const inRoom = spawn(process.execPath, waits, { cwd: directory, env: {}, stdio: "ignore" });
    const marked = spawn(process.execPath, waits, { env: room.environment, stdio: "ignore" });
    const told = spawn(process.execPath, [...waits, "--", directory], { env: {}, stdio: "ignore" });
    const other = spawn(process.execPath, waits, { env: {}, stdio: "ignore" });
    await expect.poll(() => room.leftovers().processes).toEqual([inRoom.pid, marked.pid, told.pid].sort((a = 0, b = 0) => a - b));
    for (const child of [inRoom, marked, told, other]) child.kill("SIGKILL");
    rmdirSync(directory);
    await room.expectNothingLeft();
    room.remove();
  });
});
