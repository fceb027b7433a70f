import { writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { OwnedProcess, ProcessLauncher } from "@rea/lineage";
import { echoLaunch } from "./echo-engine.js";

/** The same engine on a plain socket: what a request costs without the kit. */
export interface RawEngine {
  ask(params: object): Promise<unknown>;
  close(): Promise<void>;
}

export async function openRawEngine(launcher: ProcessLauncher, script: string, directory: string): Promise<RawEngine> {
  const path = join(directory, "raw.sock");
  const server = createServer();
  const connected = new Promise<Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const descriptor = join(directory, "raw.json");
  await writeFile(descriptor, JSON.stringify({ path, token: null }));
  const run = await launcher.start({ ...echoLaunch(script, descriptor), workingDirectory: directory, signal: new AbortController().signal, deadlineMs: 3_600_000 });
  const socket = await connected;
  server.close();
  return rawEngine(socket, run);
}

function rawEngine(socket: Socket, run: OwnedProcess): RawEngine {
  let text = "";
  let number = 0;
  let answered: (line: string) => void = () => undefined;
  socket.setNoDelay(true);
  socket.setEncoding("utf8").on("data", (chunk: Buffer | string) => {
    text += chunk.toString();
    const at = text.indexOf("\n");
    if (at < 0) return;
    const line = text.slice(0, at);
    text = text.slice(at + 1);
    answered(line);
  });
  return {
    ask: async (params) => {
      number += 1;
      const line = new Promise<string>((resolve) => (answered = resolve));
      socket.write(`${JSON.stringify({ id: number, method: "echo", params })}\n`);
      const answer: unknown = JSON.parse(await line);
      return answer;
    },
    close: async () => {
      socket.destroy();
      await run.close();
    },
  };
}
