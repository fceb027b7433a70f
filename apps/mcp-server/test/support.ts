import { fileURLToPath } from "node:url";
import { JsonRpcProcess } from "@rea/testkit";
import { afterEach } from "vitest";

export const serverMain = fileURLToPath(new URL("../dist/main.js", import.meta.url));

const started: JsonRpcProcess[] = [];

afterEach(() => {
  for (const server of started.splice(0)) server.child.kill("SIGKILL");
});

/** The built server; killed after the test when it still runs. */
export function startServer(args: readonly string[] = [], options: { readonly env?: NodeJS.ProcessEnv; readonly node?: readonly string[] } = {}): JsonRpcProcess {
  const env = { ...process.env, REA_LOG_LEVEL: "silent", ...options.env };
  const server = new JsonRpcProcess([...(options.node ?? []), serverMain, ...args], { env });
  started.push(server);
  return server;
}
