import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** How a rogue engine misbehaves. The first line of faults is of its start, the second of its first request. */
export type RogueFault =
  | "never_connects" | "no_hello" | "wrong_token" | "garbage_hello" | "exit_at_once" | "child_then_exit"
  | "silent" | "garbage" | "wrong_id" | "too_long" | "mid_line" | "ignores_cancel" | "hang_up" | "exit" | "killed";

export interface RogueEngine {
  readonly fault: RogueFault;
  /**
   * JavaScript text of a function `(args, require) => ({ transport, path, token })`: finds what the adapter told its engine.
   * `transport` is `unix`, or `tcp` with `path` naming a file with `{"host", "port"}`.
   */
  readonly endpoint: string;
  /**
   * JavaScript text of a function `(request) => response or undefined`: what the engine truly answers to a line, as an
   * object; undefined where it misbehaves. What makes the adapter content with its start has to be answered.
   */
  readonly answer: string;
}

/**
 * Writes a program that stands in for an engine's launcher, shows the right token and then misbehaves as told. Returns the
 * path of the executable. It obeys TERM, except with `ignores_cancel`, and ends when its connection does, likewise.
 */
export function writeRogueEngine(directory: string, name: string, engine: RogueEngine): string {
  const path = join(directory, name);
  writeFileSync(path, programOf(engine), { mode: 0o700 });
  return path;
}

function programOf({ fault, endpoint, answer }: RogueEngine): string {
  return `#!${process.execPath}
const fault = ${JSON.stringify(fault)};
const endpointOf = ${endpoint};
const answerTo = ${answer};
(${rogue})();
`;
}

/** The program's own text; it runs elsewhere and shares nothing with this file. */
const rogue = String.raw`function () {
  const { spawn } = require("node:child_process");
  const stay = () => setInterval(() => undefined, 60_000);
  const deaf = fault === "ignores_cancel";
  if (deaf) process.on("SIGTERM", () => undefined);
  if (fault === "exit_at_once") return process.exit(0);
  if (fault === "never_connects") return stay();
  if (fault === "child_then_exit") {
    // In a session of its own and deaf to TERM: only who looks for it finds it.
    const script = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 60000)";
    spawn(process.execPath, ["-e", script], { detached: true, stdio: "ignore" });
    return setTimeout(() => process.exit(4), 200);
  }
  const { transport, path, token } = endpointOf(process.argv.slice(2), require);
  const place = transport === "unix" ? path : JSON.parse(require("node:fs").readFileSync(path, "utf8"));
  const socket = require("node:net").connect(place);
  socket.on("error", () => process.exit(9));
  socket.on("close", () => (deaf ? stay() : process.exit(0)));
  const send = (value) => socket.write(JSON.stringify(value) + "\n");
  if (fault === "garbage_hello") socket.write("SSH-2.0-stranger\r\n");
  else if (fault === "wrong_token") send({ hello: 1, token: "0".repeat(64) });
  else if (fault !== "no_hello") send({ hello: 1, token });
  const misbehave = {
    silent: () => undefined,
    ignores_cancel: () => undefined,
    garbage: () => socket.write("\u0000\u0001 garbage\n"),
    wrong_id: ({ id }) => send({ id: id + 1, result: null }),
    too_long: () => socket.write("y".repeat(11 * 1024 * 1024) + "\n"),
    mid_line: ({ id }) => socket.write('{"id":' + id + ',"res', () => process.exit(5)),
    hang_up: () => socket.end(),
    exit: () => process.stderr.write("farewell\n", () => process.exit(7)),
    killed: () => process.kill(process.pid, "SIGKILL"),
  };
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n")) {
      const request = JSON.parse(text.slice(0, at));
      text = text.slice(at + 1);
      const answer = answerTo(request);
      if (answer !== undefined) send(answer);
      else if (typeof request.id === "number") misbehave[fault]?.(request);
    }
  });
}`;
