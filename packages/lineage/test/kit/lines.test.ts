import { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSocket, type LineEnd } from "../../src/kit/line-socket.js";
import { readFrame } from "../../src/kit/read-frame.js";
import { stubProtocol } from "./stub-host.js";

/** Gives chunks to a reader as a connection would. */
function read(chunks: readonly Uint8Array[], maximumLineBytes: number): { readonly lines: Buffer[]; readonly ends: LineEnd[] } {
  const socket = new Socket();
  const lines: Buffer[] = [];
  const ends: LineEnd[] = [];
  new LineSocket(socket, { maximumLineBytes, line: (bytes) => lines.push(bytes), end: (why) => ends.push(why) });
  for (const chunk of chunks) if (!socket.destroyed) socket.emit("data", Buffer.from(chunk));
  socket.emit("close");
  return { lines, ends };
}

const bytes = fc.uint8Array({ maxLength: 40 }).map((all) => all.map((byte) => (byte % 7 === 0 ? 0x0a : byte)));

describe("lines of a connection", () => {
  it("are the same however they were cut into chunks, and never longer than their bound", () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 8 }), fc.integer({ min: 0, max: 30 }), (chunks, bound) => {
        const all = Buffer.concat(chunks).toString("latin1").split("\n");
        const rest = all.pop() ?? "";
        const long = [...all, rest].findIndex((line) => line.length > bound);
        const { lines, ends } = read(chunks, bound);
        expect(lines.map((line) => line.toString("latin1"))).toEqual(long < 0 ? all : all.slice(0, long));
        expect(ends).toEqual([long >= 0 ? "frame_too_long" : rest === "" ? "ended" : "ended_mid_line"]);
      }),
    );
  });

  it("that are random or damaged are a named problem or a known frame, and never throw", () => {
    const good = Buffer.from('{"id":7,"error":{"code":"ü","message":"m"}}');
    expect(readFrame(good, stubProtocol.frames)).toMatchObject({ frame: { kind: "failure", id: 7 } });
    const flipped = fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
      const damaged = Buffer.from(good);
      damaged[at] = (damaged[at] ?? 0) ^ by;
      return damaged;
    });
    fc.assert(
      fc.property(fc.oneof(flipped, fc.uint8Array({ maxLength: 60 }).map((random) => Buffer.from(random))), (line) => {
        const outcome = readFrame(line, stubProtocol.frames);
        expect("frame" in outcome ? ["answer", "failure", "progress"] : ["not_utf8", "not_json", "unknown_shape"]).toContain(
          "frame" in outcome ? outcome.frame.kind : outcome.problem,
        );
      }),
      { numRuns: 500 },
    );
    expect(readFrame(Buffer.from("[".repeat(100_000)), stubProtocol.frames)).toEqual({ problem: "not_json" });
    expect(readFrame(Buffer.from('{"id":1,"result":{"__proto__":{"a":1}}}'), stubProtocol.frames)).toMatchObject({ frame: { kind: "answer" } });
  });
});
