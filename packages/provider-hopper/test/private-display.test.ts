import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OwnedProcess } from "@rea/lineage";
import { describe, expect, test } from "vitest";
import { openPrivateDisplay, type PrivateDisplay } from "../src/display/private-display.js";
import { XConnection } from "../src/display/x-connection.js";
import { newLauncher, temporaryDirectory } from "./stand-in.js";

const xvfb = "/usr/bin/Xvfb";

interface Opened {
  readonly display: Promise<PrivateDisplay>;
  readonly servers: OwnedProcess[];
}

function open(program: string, signal = new AbortController().signal): Opened {
  const directory = temporaryDirectory();
  const servers: OwnedProcess[] = [];
  const display = openPrivateDisplay({
    launcher: newLauncher(),
    program,
    writeFile: async (name, content) => {
      await writeFile(join(directory, name), content, { mode: 0o600 });
      return join(directory, name);
    },
    workingDirectory: directory,
    signal,
    started: (server) => void servers.push(server),
  });
  return { display, servers };
}

/** A program that starts Xvfb with other options than it was given. */
function wrapper(script: string): string {
  const path = join(temporaryDirectory(), "Xvfb");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

async function closed({ servers }: Opened): Promise<void> {
  for (const server of servers) expect((await server.close()).cleanup.resources).toEqual([]);
}

describe.skipIf(process.platform !== "linux" || !existsSync(xvfb))("a private display", () => {
  test("lets in who shows its cookie and nobody else, has the size that was asked for, and leaves nothing", async () => {
    const opened = open(xvfb);
    const display = await opened.display;
    expect(display.connection.setup).toMatchObject({ width: 1280, height: 1024, depth: 24, screens: 1 });
    const socket = `/tmp/.X11-unix/X${display.name.slice(1)}`;
    const stranger = await XConnection.open(socket, randomBytes(16), AbortSignal.timeout(10_000));
    expect(stranger.admitted).toBe(false);
    display.connection.close();
    await closed(opened);
    expect(existsSync(socket)).toBe(false);
  });

  test("that had to be killed leaves no socket either", async () => {
    const opened = open(xvfb);
    const display = await opened.display;
    await display.server.signal("SIGKILL");
    await display.server.ended;
    await expect.poll(() => existsSync(`/tmp/.X11-unix/X${display.name.slice(1)}`), { timeout: 30_000 }).toBe(false);
    await expect(display.connection.ask(Buffer.from([43, 0, 1, 0]))).rejects.toThrow("the display is gone");
    await closed(opened);
  });

  test.each([
    ["takes any cookie", `exec ${xvfb} -displayfd 1 -screen 0 1280x1024x24 -nolisten tcp -ac`, "display_authorization_failed"],
    ["takes no cookie of ours", `head -c 53 /dev/urandom > other; printf '\\377\\377\\0\\0\\0\\0\\0\\022MIT-MAGIC-COOKIE-1\\0\\020abcdefghijklmnop' > other; exec ${xvfb} -displayfd 1 -screen 0 1280x1024x24 -nolisten tcp -auth other`, "display_authorization_failed"],
    ["has another size", `exec ${xvfb} -displayfd 1 -screen 0 800x600x24 -nolisten tcp -auth "\${10}"`, "unexpected_geometry"],
    ["is another program than was started", `exec ${xvfb} "$@"`, "process_ownership_mismatch"],
    ["says a number and is not there", "echo 59999; sleep 30", "private_display_unavailable"],
    ["exits", "exit 1", "private_display_unavailable"],
    ["says what is no number", "echo none; exit 0", "private_display_unavailable"],
  ])("that %s is refused, by name", async (_what, script, reason) => {
    const opened = open(wrapper(script));
    await expect(opened.display).rejects.toMatchObject({ code: "provider_unavailable", details: { provider_id: "hopper", reason } });
    await closed(opened);
  });

  test("that does not come up is given up when its caller is", async () => {
    const controller = new AbortController();
    const opened = open(wrapper("exec sleep 60"), controller.signal);
    setTimeout(() => controller.abort(), 300);
    await expect(opened.display).rejects.toMatchObject({ code: "cancelled" });
    await closed(opened);
  });
});
