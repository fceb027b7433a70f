// An engine for tests: speaks the stub protocol, and misbehaves as it is told. Its argument is its descriptor's path.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";

const { transport, endpoint_path: path, token, fault, deaf } = JSON.parse(readFileSync(process.argv[2], "utf8"));
if (deaf) {
  process.on("SIGTERM", () => undefined);
  setInterval(() => undefined, 60_000);
}

if (fault === "exit_at_once") process.exit(0);
if (fault === "exit_with_words") {
  process.stderr.write(`${"x".repeat(200_000)}\u001b[31m the token is ${token}\n`, () => process.exit(3));
}
if (fault === "child_then_exit") {
  child();
  setTimeout(() => process.exit(4), 200);
}
if (fault === "never_connects" || fault === "child_then_exit") setInterval(() => undefined, 60_000);
else if (fault !== "exit_with_words") serve();

function serve() {
  const socket = connect(transport === "unix" ? path : JSON.parse(readFileSync(path, "utf8")));
  socket.on("error", () => process.exit(9));
  const send = (value) => socket.write(`${JSON.stringify(value)}\n`);
  let slow = null;
  let text = "";
  socket.on("connect", () => greet(socket, send));
  socket.on("data", (chunk) => {
    text += chunk.toString("utf8");
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n")) {
      const line = JSON.parse(text.slice(0, at));
      text = text.slice(at + 1);
      if ("cancel" in line) slow?.(line.cancel);
      else if ("shutdown" in line) process.exit(0);
      else answer(line);
    }
  });
  // An orphan of its connection goes; one that is told to stay does not.
  socket.on("close", () => !deaf && process.exit(0));

  function answer({ id, method, params }) {
    const methods = {
      echo: () => send({ id, result: params }),
      large: () => send({ id, result: "x".repeat(params.bytes) }),
      fail: () => send({ id, error: { code: "no\u0007", message: "n\u202eot", type: "remote" } }),
      silent: () => undefined,
      slow: () => {
        const timer = setTimeout(() => send({ id, result: "slept" }), params.ms);
        slow = (cancelled) => {
          if (cancelled !== id || params.deaf === true) return;
          clearTimeout(timer);
          send({ id, error: { code: "cancelled", message: "stopped" } });
        };
      },
      progress: () => {
        for (const completed of [3, 1, 7]) send({ id, event: { phase: completed === 1 ? "Bad Phase" : "listing", completed, total: 9 } });
        send({ id, result: null });
      },
      garbage: () => socket.write("\u0000\u0001 garbage\n"),
      not_utf8: () => socket.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a])),
      empty_line: () => socket.write("\n"),
      twice: () => socket.write(`{"id":${id},"result":1,"result":2}\n`),
      unknown_keys: () => send({ id, result: null, more: 1 }),
      both: () => send({ id, result: null, error: { code: "a", message: "b" } }),
      wrong_id: () => send({ id: id + 1, result: null }),
      answer_twice: () => send({ id, result: null }) && send({ id, result: null }),
      too_long: () => socket.write("y".repeat(params.bytes)),
      mid_line: () => socket.write(`{"id":${id},"res`, () => process.exit(5)),
      hang_up: () => socket.end(),
      exit: () => process.stderr.write("farewell\n", () => process.exit(params.code)),
      answer_and_exit: () => socket.write(`${JSON.stringify({ id, result: "last" })}\n`, () => process.exit(0)),
      kill: () => process.kill(process.pid, "SIGKILL"),
      child: () => send({ id, result: child() }),
    };
    methods[method]();
  }
}

function greet(socket, send) {
  if (fault === "no_hello") return;
  if (fault === "wrong_token") return send({ hello: 1, token: `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}` });
  if (fault === "short_token") return send({ hello: 1, token: "" });
  if (fault === "garbage_hello") return socket.write("SSH-2.0-stranger\r\n");
  if (fault === "long_hello") return socket.write("h".repeat(100_000));
  if (fault === "hello_with_more") return send({ hello: 1, token, more: true });
  const line = `${JSON.stringify({ hello: 1, token })}\n`;
  if (fault === "talks_first") return socket.write(`${line}{"id":1,"result":null}\n`);
  if (fault === "slow_hello") {
    socket.write(line.slice(0, 20));
    return setTimeout(() => socket.write(line.slice(20)), 50);
  }
  socket.write(line);
}

/** In a session of its own, deaf to TERM, with its outputs shut: it outlives everybody who does not look for it. */
function child() {
  const script = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 60000)";
  return spawn(process.execPath, ["-e", script], { detached: true, stdio: "ignore" }).pid;
}
