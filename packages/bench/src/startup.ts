import { spawn } from "node:child_process";
import type { Benchmark } from "./benchmark.js";
import { cliMain, needing, serverMain, startScript } from "./built-apps.js";
import { ServerProcess } from "./server-process.js";

/** Start-up of the built commands against a Node process that does nothing. */
export const startup: Benchmark = {
  name: "start-up",
  rounds: 9,
  reference: { label: "node -e 0", run: () => finish(["-e", "0"]) },
  contenders: [
    needing(cliMain, { label: "rea --version", run: () => finish([cliMain, "--version"]) }),
    needing(cliMain, { label: "npm start's script, --version", run: () => finish([startScript, "--version"]) }),
    needing(serverMain, { label: "rea-mcp, initialize", run: () => session((server) => server.initialize()) }),
    needing(serverMain, {
      label: "rea-mcp, tools/list",
      run: () =>
        session(async (server) => {
          await server.initialize();
          await server.request("tools/list");
        }),
    }),
  ],
};

/** Servers of earlier rounds end while the next contender is measured otherwise. */
let ending: Promise<void> = Promise.resolve();

/** The orderly end of the server is not part of the measurement, but nothing is measured beside it. */
async function session(work: (server: ServerProcess) => Promise<unknown>): Promise<void> {
  await ending;
  const server = new ServerProcess();
  await work(server);
  ending = server.end();
}

function finish(args: readonly string[]): Promise<void> {
  return ending.then(
    () =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
        child.on("error", reject);
        child.on("close", (code) => {
          if (code === 0) resolve();
          else reject(new Error(`${args.join(" ")} ended with exit code ${code}`));
        });
      }),
  );
}
