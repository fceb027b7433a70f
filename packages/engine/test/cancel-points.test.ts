import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson, memorySource, ReaError, type ByteSource } from "@rea/core";
import { openFileSource, openImage, type BinaryImage } from "@rea/binary";
import { describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import { Cancellation } from "../src/worker/cancellation.js";
import { TargetSession } from "../src/worker/target-session.js";
import { watchedSource } from "../src/worker/watched-source.js";
import { codeImage, codeRva, dataRva, hex } from "./code-image.js";
import { fileTarget } from "./file-target.js";

const many = 20_000;
/** Items of a table, or bytes of code, that may pass without a question. */
const mostUnasked = 8_192;

async function questions(image: BinaryImage): Promise<number> {
  let asked = 0;
  await analyzeProgram(image, {
    shouldStop: () => {
      asked += 1;
      return false;
    },
  });
  return asked;
}

/** 16 bytes: push rbp; pop rbp; ret; int3 … */
function rows(count: number): Uint8Array {
  const code = new Uint8Array(count * 16).fill(0xcc);
  for (let at = 0; at < code.length; at += 16) code.set([0x55, 0x5d, 0xc3], at);
  return code;
}

const little = codeImage({ code: hex("c3") });

const tables: readonly (readonly [string, () => BinaryImage])[] = [
  ["symbols", () => codeImage({ code: hex("c3"), symbols: Array.from({ length: many }, (_, index) => ({ name: `s${String(index)}`, rva: codeRva })) })],
  ["relocated pointers", () => codeImage({ code: hex("c3"), data: new Uint8Array(many * 8), pointers: Array.from({ length: many }, (_, index) => ({ cell: dataRva(1) + index * 8, target: dataRva(1) })) })],
  ["unwind ranges", () => codeImage({ code: rows(many), entries: [], unwind: Array.from({ length: many }, (_, index) => ({ start: codeRva + index * 16, end: codeRva + index * 16 + 3 })) })],
  ["imports", () => codeImage({ code: hex("c3"), imports: Array.from({ length: many }, (_, index) => ({ name: `i${String(index)}` })) })],
];

describe("the analysis asks whether to stop", () => {
  test.each(tables)("while it reads %s", async (_, make) => {
    const extra = (await questions(make())) - (await questions(little));
    expect(extra).toBeGreaterThanOrEqual(Math.floor(many / mostUnasked));
  });

  test("while it looks for functions in code that nothing leads to", async () => {
    const code = rows(many);
    expect(await questions(codeImage({ code }))).toBeGreaterThanOrEqual(code.length / mostUnasked);
  });

  test("and stops wherever it is told to", async () => {
    const make = (): BinaryImage =>
      codeImage({
        code: rows(1_000),
        symbols: Array.from({ length: 1_000 }, (_, index) => ({ name: `s${String(index)}`, rva: codeRva + index * 16, size: 3 })),
        data: new Uint8Array(8_000),
        pointers: Array.from({ length: 1_000 }, (_, index) => ({ cell: dataRva(61_000) + index * 8, target: codeRva + index * 16 })),
      });
    const all = await questions(make());
    expect(all).toBeGreaterThan(5);
    for (let stop = 1; stop <= all; stop += 1) {
      let asked = 0;
      const stopped = analyzeProgram(make(), { shouldStop: () => (asked += 1) === stop });
      await expect(stopped).rejects.toSatisfy((error) => error instanceof ReaError && error.code === "cancelled");
      expect(asked).toBe(stop);
    }
  });
});

describe("the search for strings asks whether to stop", () => {
  const texts = (count: number) => codeImage({ code: hex("c3"), data: Buffer.from("some text\0".repeat(count)) });
  const searched = async (image: BinaryImage, shouldStop: () => boolean) => {
    let searching = false;
    let asked = 0;
    const program = await analyzeProgram(image, {
      shouldStop: () => {
        if (searching) asked += 1;
        return searching && shouldStop();
      },
    });
    searching = true;
    return { program, asked: () => asked };
  };

  test("for every few thousand strings", async () => {
    const { program, asked } = await searched(texts(many), () => false);
    expect(program.strings).toHaveLength(many);
    expect(asked()).toBeGreaterThanOrEqual(Math.floor(many / mostUnasked));
  });

  test("in data that holds no text at all", async () => {
    const data = new Uint8Array(8 << 20).fill(1);
    const { program, asked } = await searched(codeImage({ code: hex("c3"), data }), () => false);
    expect(program.strings).toHaveLength(0);
    expect(asked()).toBeGreaterThanOrEqual(data.length >>> 20);
  });

  test("and finds the same strings after it was stopped anywhere", async () => {
    let left = 0;
    const { program, asked } = await searched(texts(2_000), () => (left -= 1) === 0);
    left = Infinity;
    const wanted = program.strings.map(({ rva }) => rva);
    const all = asked();
    expect(all).toBeGreaterThan(1);
    for (let stop = 1; stop <= all; stop += 1) {
      const { program: other } = await searched(texts(2_000), () => (left -= 1) === 0);
      left = stop;
      expect(() => other.strings).toThrow(ReaError);
      expect(other.strings.map(({ rva }) => rva)).toEqual(wanted);
    }
  });
});

const runtime = process.execPath;
const isElf = existsSync(runtime) && openFileSource(runtime).read(0, 4)[0] === 0x7f;

describe("reading tables of a file through a watched source", () => {
  const asksOf = (source: ByteSource) => {
    let asked = 0;
    const image = openImage(watchedSource(source, () => void (asked += 1)));
    return { image, during: (work: () => void) => { const before = asked; work(); return asked - before; } };
  };

  test.skipIf(!isElf)("asks at least once for some thousand rows of each table", { timeout: 120_000 }, () => {
    const { image, during } = asksOf(openFileSource(runtime));
    const tables = { symbols: () => image.symbols(), unwind: () => image.unwindRanges(), relocations: () => image.relocations(), exports: () => image.exports() };
    for (const [name, read] of Object.entries(tables)) {
      let rows = 0;
      const asked = during(() => (rows = read().items.length));
      // Exports are made of the symbols that were read before.
      if (name !== "exports") expect([name, asked >= Math.floor(rows / mostUnasked)]).toEqual([name, true]);
    }
  });

  test("gives the same bytes, and nothing when it is told to stop", () => {
    const source = memorySource(Buffer.from("\x7fELF bytes"));
    let stops = false;
    const watched = watchedSource(source, () => {
      if (stops) throw new ReaError("cancelled", { message: "stopped", details: { operation: "read", cleanup: "complete" } });
    });
    expect(watched.read(1, 3)).toEqual(source.read(1, 3));
    expect(watched.size).toBe(source.size);
    stops = true;
    expect(() => watched.read(1, 3)).toThrow("stopped");
  });
});

/** Gives up at the n-th question. */
class GivesUp extends Cancellation {
  asked = 0;
  readonly #at: number;

  constructor(at: number) {
    super(new Int32Array(new SharedArrayBuffer(4)), 1, "list_procedures");
    this.#at = at;
  }

  override get isRequested(): boolean {
    this.asked += 1;
    return this.asked >= this.#at;
  }
}

const list = "/bin/ls";

describe.skipIf(!existsSync(list))("a target whose calls were cancelled anywhere", () => {
  test("gives the answer it would have given at once", { timeout: 120_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), "rea-cancel-"));
    try {
      // Cut short, so that readers have findings to note.
      const path = join(directory, "cut");
      const whole = readFileSync(list);
      writeFileSync(path, whole.subarray(0, Math.floor(whole.length * 0.9)));
      const session = () => new TargetSession(fileTarget(path), { note: () => undefined });
      const asker = { cursor: null, author: { name: "test", version: "1" }, stateDirectory: directory, cache: null };
      const params = { offset: 0, limit: 500 };
      const ask = async (of: TargetSession, operation: string, cancellation: Cancellation) =>
        canonicalJson(await of.answer({ call: { id: 1, operation, params, session: asker }, cancellation, progress: { report: () => undefined } }));
      const never = new GivesUp(Infinity);
      const fresh = session();
      const wanted = [await ask(fresh, "list_procedures", never), await ask(fresh, "list_names", new GivesUp(Infinity))];
      const tried = session();
      for (let at = 1; at < never.asked; at = Math.ceil(at * 1.7)) {
        await expect(ask(tried, "list_procedures", new GivesUp(at))).rejects.toMatchObject({ code: "cancelled" });
      }
      expect([await ask(tried, "list_procedures", new GivesUp(Infinity)), await ask(tried, "list_names", new GivesUp(Infinity))]).toEqual(wanted);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
