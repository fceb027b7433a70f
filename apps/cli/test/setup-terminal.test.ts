import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLauncher } from "@rea/lineage";
import { afterAll, expect, test } from "vitest";
import { cliMain } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-setup-terminal-"));
const launcher = createLauncher();
afterAll(async () => {
  await launcher.close();
  rmSync(place, { recursive: true, force: true });
});

/** Runs setup on a terminal and types each answer once its question stands there. */
async function setUpAt(home: string, answers: readonly (readonly [question: string, answer: string])[], env: Record<string, string> = {}) {
  let output = "";
  let at = 0;
  const waiting = [...answers];
  const run = await launcher.start({
    executable: process.execPath,
    arguments: [cliMain, "setup"],
    environment: { PATH: process.env["PATH"] ?? "", HOME: home, TERM: "xterm", ...env },
    workingDirectory: place,
    signal: AbortSignal.timeout(60_000),
    deadlineMs: 60_000,
    terminal: {
      columns: 100,
      rows: 40,
      onOutput: (bytes) => {
        output += bytes.toString("utf8");
        for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
          const found = output.indexOf(next[0], at);
          if (found === -1) return;
          at = found + next[0].length;
          waiting.shift();
          const answer = Buffer.from(next[1]);
          // Once the program has turned to its input.
          if (answer.length > 0) setTimeout(() => void run.terminal?.write(answer), 200);
        }
      },
    },
  });
  const ended = await run.ended;
  return { status: ended.exit.code, output };
}

function homeOf(name: string): string {
  const home = join(place, name);
  for (const marker of [".codex", ".cursor"]) mkdirSync(join(home, marker), { recursive: true });
  return home;
}

test("an empty answer is No: nothing is changed", async () => {
  const home = homeOf("no");
  const { status, output } = await setUpAt(home, [["escape leaves", " \r"], ["[y/N]", "\r"]]);
  expect(output).toContain("[mcp_servers.rea]");
  expect(output).toContain("Cancelled; nothing was changed.");
  expect(status).toBe(0);
  expect(existsSync(join(home, ".codex", "config.toml"))).toBe(false);
});

test("what is ticked in the list and confirmed is done, and no more", async () => {
  const home = homeOf("yes");
  const { status, output } = await setUpAt(home, [["escape leaves", "\u001B[B"], ["> [ ] Cursor", " "], ["> [x] Cursor", "\r"], ["[y/N]", "y\r"]]);
  expect(output).toContain("Done.");
  expect(status).toBe(0);
  expect(readFileSync(join(home, ".cursor", "mcp.json"), "utf8")).toContain('"rea"');
  expect(existsSync(join(home, ".codex", "config.toml"))).toBe(false);
});

test("without a drawn list the same by numbers, and a wrong number is asked again", async () => {
  const home = homeOf("plain");
  const { status, output } = await setUpAt(home, [["to leave:", "7\r"], ["from 1 to 2", ""], ["to leave:", "1\r"], ["[y/N]", "yes\r"]], { ACCESSIBLE: "1" });
  expect(output).not.toContain("[x]");
  expect(status).toBe(0);
  expect(readFileSync(join(home, ".codex", "config.toml"), "utf8")).toContain("[mcp_servers.rea]");
  expect(existsSync(join(home, ".cursor", "mcp.json"))).toBe(false);
});

test("an interrupt at the question leaves everything as it was and exits with 130", async () => {
  const home = homeOf("interrupt");
  const { status } = await setUpAt(home, [["escape leaves", " \r"], ["[y/N]", "\u0003"]]);
  expect(status).toBe(130);
  expect(existsSync(join(home, ".codex", "config.toml"))).toBe(false);
});
