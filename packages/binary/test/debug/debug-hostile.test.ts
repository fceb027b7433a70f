import { readFileSync } from "node:fs";
import { memorySource } from "@rea/core";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { openImage } from "../../src/open-image.js";
import { makeElf } from "../elf-builder.js";
import { DebugRoom, informationOf, layoutSource } from "./debug-samples.js";

const room = new DebugRoom();
afterAll(() => { room.remove(); });

/** Asks everything that can be asked of a program, and counts what came. */
function readEverything(bytes: Uint8Array, addresses: readonly bigint[]): number {
  const found = informationOf(bytes);
  if (found === undefined) return 0;
  let count = 0;
  for (const name of ["node", "node_t", "inner", "either", "tight", "matrix", "colour", "int", "a", "b", "c"]) {
    for (const id of found.typesNamed(name)) {
      const type = found.plainType(id) ?? found.type(id);
      if (type === undefined) continue;
      for (const { type: part, name: of } of found.fields(type.id)) count += found.typeText(part, of ?? "").length + (found.sizeOf(part) ?? 0);
      count += (found.sizeOf(id) ?? 0) + (found.alignmentOf(id) ?? 0) + Number(found.isPacked(id) ?? false) + found.enumerators(id).length + found.typeText(id).length;
      count += found.signature(id).parameters.length + found.dimensions(id).length;
    }
  }
  for (const va of addresses) {
    count += found.functionAt(va)?.parameters.length ?? 0;
    count += found.variableAt(va)?.size ?? 0;
    count += found.sourceAt(va, va + 3n)?.file.length ?? 0;
    const id = found.functionTypeAt(va);
    if (id !== undefined) count += found.typeText(id).length;
  }
  return count + found.omissions().length;
}

describe.each([["-gdwarf-5"], ["-gdwarf-4"], ["-gdwarf-4", "-fdebug-types-section"]])("damaged debug information (%s %s)", (...args: readonly (string | undefined)[]) => {
  const flags = args.flatMap((each) => each ?? []);
  const file = room.build("gcc", [...flags, "-O1"], { name: "hostile.c", text: layoutSource });
  const bytes = file === undefined ? undefined : readFileSync(file);
  const image = bytes === undefined ? undefined : openImage(memorySource(bytes));
  const sections = (image?.sections().items ?? []).filter(({ name }) => name.startsWith(".debug_"));
  const addresses = (image?.symbols().items ?? []).flatMap(({ va }) => va ?? []);

  test("cut at any byte it is read as far as it goes", (context) => {
    if (bytes === undefined) return context.skip("gcc is not installed");
    const own = sections.filter(({ name }) => name === ".debug_info" || name === ".debug_abbrev" || name === ".debug_types");
    const data = sections.map(({ name, file: place }) => ({ name, type: 1, data: bytes.subarray(place?.offset ?? 0, (place?.offset ?? 0) + (place?.size ?? 0)) }));
    const whole = readEverything(makeElf({ sections: data }), addresses);
    expect(whole).toBeGreaterThan(1000);
    for (const { name } of own) {
      const length = data.find((each) => each.name === name)?.data.length ?? 0;
      for (let at = 0; at < length; at += 1) {
        const cut = data.map((each) => (each.name === name ? { ...each, data: each.data.subarray(0, at) } : each));
        expect(readEverything(makeElf({ sections: cut }), addresses)).toBeLessThanOrEqual(whole + 10);
      }
    }
  }, 120_000);

  test("with any bytes changed it neither fails nor hangs", (context) => {
    if (bytes === undefined) return context.skip("gcc is not installed");
    const places = sections.flatMap(({ file: place }) => (place === undefined ? [] : [place]));
    const change = fc.tuple(fc.nat(places.length - 1), fc.nat(1_000_000), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const changed = new Uint8Array(bytes);
        for (const [section, at, value] of changes) {
          const place = places[section];
          if (place !== undefined) changed[place.offset + (at % place.size)] = value;
        }
        expect(readEverything(changed, addresses)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: Number(process.env["REA_FUZZ_RUNS"] ?? "150") },
    );
  }, 120_000);
});

/** A DWARF 4 unit of 32-bit form with the entries given, behind the header. */
function programWith(entries: readonly number[], abbreviations: readonly number[]): Uint8Array {
  const body = [4, 0, 0, 0, 0, 0, 8, ...entries];
  const info = [body.length & 255, (body.length >> 8) & 255, 0, 0, ...body];
  return makeElf({
    sections: [
      { name: ".debug_info", type: 1, data: Uint8Array.from(info) },
      { name: ".debug_abbrev", type: 1, data: Uint8Array.from([...abbreviations, 0]) },
    ],
  });
}

/** Unit; `a`: a named type with a reference; `b`: one with members. */
const unit = [1, 0x11, 1, 0, 0];
const typedefs = [2, 0x16, 0, 0x03, 0x08, 0x49, 0x13, 0, 0];
const pointers = [3, 0x0f, 0, 0x49, 0x13, 0, 0];
const structs = [4, 0x13, 1, 0x03, 0x08, 0, 0];
const members = [5, 0x0d, 0, 0x49, 0x13, 0, 0];
const functions = [6, 0x15, 1, 0x49, 0x13, 0, 0];
const parameters = [7, 0x05, 0, 0x49, 0x13, 0, 0];
const arrays = [8, 0x01, 1, 0x49, 0x13, 0, 0];
const all = [...unit, ...typedefs, ...pointers, ...structs, ...members, ...functions, ...parameters, ...arrays];
const offset = (at: number): number[] => [at & 255, (at >> 8) & 255, (at >> 16) & 255, 0];
/** Offset of the first entry behind that of the unit. */
const first = 12;
const a = "a".charCodeAt(0);
const b = "b".charCodeAt(0);

test("a type that is a name of itself has no size and a text that ends", () => {
  const found = informationOf(programWith([1, 2, a, 0, ...offset(first), 0], all));
  const [id = 0] = found?.typesNamed("a") ?? [];
  expect(found?.sizeOf(id)).toBeUndefined();
  expect(found?.plainType(id)).toBeUndefined();
  expect(found?.typeText(id)).toBe("a");
});

test("pointers to each other without end are written up to a bound", () => {
  const found = informationOf(programWith([1, 2, a, 0, ...offset(first + 7), 3, ...offset(first + 12), 3, ...offset(first + 7), 0], all));
  const [id = 0] = found?.typesNamed("a") ?? [];
  const target = found?.type(id)?.to;
  expect(found?.typeText(target).length).toBeLessThan(700);
  expect(found?.typeText(target)).toContain("…");
});

test("a structure inside itself and functions that take themselves twice are bounded", () => {
  const inside = informationOf(programWith([1, 4, b, 0, 5, ...offset(first), 5, ...offset(first), 0, 0], all));
  const [id = 0] = inside?.typesNamed("b") ?? [];
  expect(inside?.sizeOf(id)).toBeUndefined();
  expect(inside?.alignmentOf(id)).toBe(1);
  const taking = informationOf(programWith([1, 2, a, 0, ...offset(first + 7), 6, ...offset(first + 7), 7, ...offset(first + 7), 7, ...offset(first + 7), 0, 0], all));
  const [named = 0] = taking?.typesNamed("a") ?? [];
  expect(taking?.typeText(taking.type(named)?.to).length).toBeLessThan(700);
});

test("an array of itself has no size", () => {
  const found = informationOf(programWith([1, 2, a, 0, ...offset(first + 7), 8, ...offset(first + 7), 0, 0], all));
  expect(found?.sizeOf(found.typesNamed("a")[0])).toBeUndefined();
});

test("a list of abbreviations without end is refused, not read for ever", () => {
  const endless = Array.from({ length: 400 }, () => [1, 0x11, 1, 0x03, 0x08]).flat();
  const found = informationOf(programWith([1, 0], endless));
  expect(found?.typesNamed("a")).toEqual([]);
  expect(found?.omissions().map(({ reason }) => reason)).toEqual(["malformed"]);
});

test("a packed section that unpacks to more than it declares is left out", () => {
  const packed = Uint8Array.from([1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x78, 0x9c, 0x63, 0x60, 0x18, 0xd9, 0x00, 0x00, 0x01, 0x00, 0x00, 0x01]);
  const found = informationOf(makeElf({ sections: [{ name: ".debug_info", type: 1, flags: 0x800, data: packed }, { name: ".debug_abbrev", type: 1, data: Uint8Array.of(0) }] }));
  expect(found?.typesNamed("a")).toEqual([]);
  expect(found?.omissions()[0]?.reason).toBe("malformed");
});
