import fc from "fast-check";
import { expect, test } from "vitest";
import { tracedEvent } from "./trace-events.js";
import { TraceLines, type TraceLine } from "./trace-lines.js";

const hex = (text: string): string => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
const q = (text: string): string => `"${hex(text)}"`;
const at = "1796087139.139206";
const only = (...lines: string[]): (ReturnType<typeof tracedEvent> | null)[] => {
  const reader = new TraceLines();
  return lines
    .map((line) => reader.take(line))
    .filter((line): line is TraceLine => line !== null)
    .map(tracedEvent);
};

test("an exec tells its path and arguments as the program gave them", () => {
  const [event] = only(`7 ${at} execve(${q('/bin/a"b')}, [${q("a b")}, ${q('"], x')}, ${q("ü\n")}], 0x7ffe /* 35 vars */) = 0`);
  expect(event).toMatchObject({ pid: 7, kind: "exec", path: '/bin/a"b', arguments: ["a b", '"], x', "ü\n"], result: "ok", timeMs: 1796087139139 });
});

test("a call that another process interrupted is put together again", () => {
  const events = only(
    `7 ${at} vfork( <unfinished ...>`,
    `8 ${at} execve(${q("/bin/mv")}, [${q("mv")}], 0x1 /* 1 var */ <unfinished ...>`,
    `7 ${at} <... vfork resumed>) = 8`,
    `8 ${at} <... execve resumed>) = -1 ENOENT (No such file or directory)`,
    `8 ${at} +++ killed by SIGSEGV (core dumped) +++`,
    `7 ${at} +++ exited with 3 +++`,
  );
  expect(events.map((event) => [event?.kind, event?.pid, event?.child_pid, event?.result, event?.signal, event?.exit_code])).toEqual([
    ["fork", 7, 8, "ok", null, null],
    ["exec", 8, null, "ENOENT", null, null],
    ["exit", 8, null, null, "SIGSEGV", null],
    ["exit", 7, null, null, null, 3],
  ]);
});

test("relative paths stand below the directory the call names; reading is no effect", () => {
  const events = only(
    `7 ${at} openat(AT_FDCWD<${hex("/tmp/st")}>, ${q("x")}, O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3<${hex("/tmp/st/x")}>`,
    `7 ${at} openat(AT_FDCWD<${hex("/tmp/st")}>, ${q("/etc/passwd")}, O_RDONLY|O_CLOEXEC) = 3`,
    `7 ${at} renameat2(AT_FDCWD<${hex("/tmp")}>, ${q("a")}, 4<${hex("/var")}>, ${q("b")}, RENAME_NOREPLACE) = 0`,
    `7 ${at} unlink(${q("l")})  = 0`,
  );
  expect(events.map((event) => event && [event.kind, event.path, event.new_path])).toEqual([
    ["open_write", "/tmp/st/x", null],
    null,
    ["rename", "/tmp/a", "/var/b"],
    ["unlink", "l", null],
  ]);
});

test("addresses of connections and listeners are told", () => {
  const events = only(
    `7 ${at} connect(3<TCP:[133883]>, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr(${q("127.0.0.1")})}, 16) = -1 ECONNREFUSED (Connection refused)`,
    `7 ${at} connect(4<TCPv6:[1]>, {sa_family=AF_INET6, sin6_port=htons(9), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, ${q("::1")}, &sin6_addr), sin6_scope_id=0}, 28) = 0`,
    `7 ${at} connect(4<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path=${q("/tmp/s")}}, 12) = 0`,
    `7 ${at} listen(3<${hex("TCP:[127.0.0.1:37293]")}>, 128) = 0`,
  );
  expect(events.map((event) => event?.address)).toEqual(["127.0.0.1:9", "[::1]:9", "unix:/tmp/s", "127.0.0.1:37293"]);
});

test("any text is read without failing, and strange lines are counted", () => {
  const words = fc.constantFrom(`7 ${at} `, "execve(", '"\\x41"', "[", "]", ")", " = ", "0", "<unfinished ...>", "<... execve resumed>", "+++ exited with 1 +++", "AT_FDCWD<\\x2f>, ", "connect(");
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.array(words, { maxLength: 8 }).map((parts) => parts.join("")), fc.string())), (lines) => {
      const reader = new TraceLines();
      for (const line of lines) {
        const read = reader.take(line);
        if (read !== null) tracedEvent(read);
      }
      expect(reader.strange).toBeLessThanOrEqual(lines.length);
    }),
  );
});
