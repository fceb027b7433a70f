import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "@rea/core";
import type { EngineFrame, EngineProtocol, EngineSpec } from "@rea/lineage";

/** An engine that gives back what it is sent: all time beside its own is the kit's. */
const program = `
const { connect } = require("node:net");
const { path, token } = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"));
const socket = connect(path);
socket.setNoDelay(true);
socket.on("close", () => process.exit(0));
if (token !== null) socket.write(JSON.stringify({ hello: 1, token }) + "\\n");
let text = "";
socket.setEncoding("utf8").on("data", (chunk) => {
  text += chunk;
  for (let at = text.indexOf("\\n"); at >= 0; at = text.indexOf("\\n")) {
    const { id, params } = JSON.parse(text.slice(0, at));
    text = text.slice(at + 1);
    socket.write(JSON.stringify({ id, result: params }) + "\\n");
  }
});
`;

const id = z.int().min(0);
const frames: z.ZodType<EngineFrame> = z.strictObject({ id, result: z.json() }).transform((frame) => ({ kind: "answer" as const, ...frame }));

const protocol: EngineProtocol = {
  maximumLineBytes: 1024 * 1024,
  maximumRequestLength: 262_144,
  frames,
  request: ({ id: number, method, params }) => ({ id: number, method, params }),
};

/** The program, in a file. */
export async function writeEchoEngine(directory: string): Promise<string> {
  const path = join(directory, "echo-engine.cjs");
  await writeFile(path, program, { mode: 0o600 });
  return path;
}

/** How the kit starts it. */
export function echoSpec(script: string): EngineSpec {
  return {
    providerId: "echo",
    protocol,
    startupMs: 60_000,
    prepare: async ({ directory, endpoint, token }) => {
      const descriptor = await directory.writeFile("session.json", JSON.stringify({ path: endpoint.path, token }));
      return { ...echoLaunch(script, descriptor), workingDirectory: directory.path };
    },
  };
}

export function echoLaunch(script: string, descriptor: string) {
  return { executable: process.execPath, arguments: [script, descriptor], environment: { PATH: "/usr/bin:/bin" } };
}
