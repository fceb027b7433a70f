import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Benchmark } from "./benchmark.js";
import { cliMain, needing, serverMain } from "./built-apps.js";
import { ServerProcess } from "./server-process.js";

const program = "/bin/bash";
const objdump = spawnSync("objdump", ["--version"]).status === 0 && existsSync(program);

/** The whole front page, in a process and home of its own, against a plain disassembly of the same file. */
export const analyze: Benchmark = {
  name: "analyze",
  rounds: 5,
  reference: {
    label: `objdump -d ${program}`,
    ...(objdump ? {} : { unavailable: "objdump or /bin/bash is not there" }),
    run: () => discard("objdump", ["-d", program]),
  },
  contenders: [
    needing(cliMain, { label: `rea analyze ${program}, cold`, run: () => discard(process.execPath, [cliMain, "analyze", program], freshHome()) }),
  ],
};

let warm: Promise<ServerProcess> | undefined;

/** A server that has analysed the program; `analyze_function` of its entry point against an empty round trip. */
export const warmCalls: Benchmark = {
  name: "warm-calls",
  rounds: 25,
  reference: needing(serverMain, { label: "ping", run: async () => void (await (await warmServer()).request("ping")) }),
  contenders: [
    needing(serverMain, {
      label: "analyze_function, the same again",
      run: async () => void (await (await warmServer()).call("analyze_function", { procedure: "main" })),
    }),
    needing(serverMain, {
      label: "analyze_function, another each time",
      run: async () => void (await (await warmServer()).call("analyze_function", { procedure: await nextProcedure() })),
    }),
    needing(serverMain, { label: "list_procedures", run: async () => void (await (await warmServer()).call("list_procedures", {})) }),
  ],
  close: async () => (await warm)?.end(),
};

let procedures: string[] | undefined;

/** Entry of a function that was not asked for before, of those that lie far apart in the program. */
async function nextProcedure(): Promise<string> {
  procedures ??= await spreadProcedures(await warmServer());
  const next = procedures.pop();
  if (next === undefined) throw new Error("all procedures have been asked for");
  return next;
}

const pages = 4;
const pageItems = 500;

async function spreadProcedures(server: ServerProcess): Promise<string[]> {
  const found: string[] = [];
  for (let page = 0; page < pages; page += 1) {
    const reply = await server.call("list_procedures", { offset: page * pageItems, limit: pageItems });
    // The text block holds the result with its quotes escaped; every item of a page begins with its address.
    found.push(...[...reply.matchAll(/\{\\?"address\\?":\\?"(0x[0-9a-f]+)\\?"/g)].map(([, address = ""]) => address));
  }
  const unique = [...new Set(found)];
  return unique.filter((_, index) => index % 7 === 0);
}

function warmServer(): Promise<ServerProcess> {
  warm ??= (async () => {
    const server = new ServerProcess();
    await server.initialize();
    await server.call("open_binary", { path: program });
    await server.call("binary_overview", {});
    return server;
  })();
  return warm;
}

function freshHome(): NodeJS.ProcessEnv {
  return { ...process.env, HOME: mkdtempSync(join(tmpdir(), "rea-bench-")) };
}

function discard(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "ignore"], env });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with exit code ${code}`));
    });
  });
}
