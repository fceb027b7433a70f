import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { memorySource } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { openImage } from "../../src/open-image.js";
import { DebugRoom, informationOfFile, layoutSource } from "./debug-samples.js";

const room = new DebugRoom();
afterAll(() => { room.remove(); });

/** `file:line` of each address as binutils have it; "" where they have none. */
function judged(file: string, addresses: readonly bigint[]): readonly string[] | undefined {
  const { status, stdout } = spawnSync("addr2line", ["-e", file, ...addresses.map((va) => `0x${va.toString(16)}`)], { encoding: "utf8", maxBuffer: 1 << 26 });
  if (status !== 0) return undefined;
  return stdout.trim().split("\n").map((line) => {
    const shown = line.replace(/ \(discriminator.*/, "").replace(/^.*\//, "");
    return /[?:0]$/.test(shown) && !/:\d*[1-9]\d*$/.test(shown) ? "" : shown;
  });
}

describe.each([["gcc", "-gdwarf-5"], ["gcc", "-gdwarf-4"], ["gcc", "-gdwarf-2"], ["clang-19", "-g"]])("lines of the source in debug information of %s %s", (compiler, format) => {
  test.for(["-O0", "-O2", "-O3"])("are those of addr2line for every address of every function at %s", (level, context) => {
    const file = room.build(compiler, [format, level], { name: "lines.c", text: layoutSource });
    if (file === undefined) return context.skip(`${compiler} is not installed`);
    const debug = informationOfFile(file);
    const functions = openImage(memorySource(readFileSync(file))).symbols().items.flatMap(({ va, size, type }) => (va === undefined || type !== "function" || debug.functionAt(va) === undefined ? [] : [{ va, size: Number(size) }]));
    const asked = functions.flatMap(({ va, size }) => Array.from({ length: size }, (_, at) => ({ va, at: va + BigInt(at) })));
    const expected = judged(file, asked.map(({ at }) => at));
    if (expected === undefined) return context.skip("addr2line is not installed");
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.map(({ va, at }) => debug.sourceAt(va, at)).map((place) => (place === undefined ? "" : `${place.file}:${String(place.line)}`))).toEqual(expected);
  });
});
