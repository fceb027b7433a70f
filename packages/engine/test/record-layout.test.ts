import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RecordWriter } from "../src/decompile/print/record-text.js";
import { storedSize, type RecordField, type RecordType, type StoredType } from "../src/decompile/types/value-type.js";

const number = fc.constantFrom(8, 16, 32, 64).map((bits): StoredType => ({ kind: "int", bits, signed: bits > 16 }));
const value = fc.oneof(number, fc.constant<StoredType>({ kind: "float", bits: 64 }), fc.constant<StoredType>({ kind: "pointer", to: undefined }));
const stored = fc.oneof(value, fc.tuple(value, fc.integer({ min: 1, max: 3 })).map(([of, count]): StoredType => ({ kind: "array", of, count })));
const member = fc.tuple(stored, fc.constantFrom(0, 0, 0, 1, 3, 8));
const shape = fc.record({ members: fc.array(member, { minLength: 1, maxLength: 6 }), isUnion: fc.boolean(), tail: fc.integer({ min: 0, max: 9 }), isAligned: fc.boolean() });

/** Members one behind the other with gaps, at their alignment or anywhere. */
function recordOf({ members, isUnion, tail, isAligned }: (typeof shape) extends fc.Arbitrary<infer T> ? T : never, tag: string, inner: RecordType | undefined): RecordType {
  const fields: RecordField[] = [];
  let end = 0;
  const all: readonly (readonly [StoredType, number])[] = inner === undefined ? members : [...members, [inner, 0]];
  for (const [type, gap] of all) {
    const sizeBytes = storedSize(type);
    const alignment = isAligned && type.kind !== "array" && type.kind !== "record" ? sizeBytes : isAligned ? 8 : 1;
    const offset = isUnion ? 0 : Math.ceil((end + gap) / alignment) * alignment;
    fields.push({ name: `m${String(fields.length)}`, offset, sizeBytes, type });
    end = Math.max(end, offset + sizeBytes);
  }
  return { kind: "record", keyword: isUnion ? "union" : "struct", tag, sizeBytes: isAligned ? Math.ceil((end + tail) / 8) * 8 : end + tail, isOfHeader: false, fields: () => fields };
}

describe("definitions of structures and unions", () => {
  const shapes = fc.sample(shape, { numRuns: 400, seed: 11 });
  const records: RecordType[] = [];
  for (const [index, each] of shapes.entries()) records.push(recordOf(each, `r${String(index)}`, index % 3 === 2 ? records[index - 1] : undefined));
  const checks = records.flatMap((record) => {
    const name = `${record.keyword} ${record.tag}`;
    return [`_Static_assert(sizeof(${name}) == ${String(record.sizeBytes)}, "${name}");`, ...record.fields().map(({ name: own, offset }) => `_Static_assert(offsetof(${name}, ${own}) == ${String(offset)}, "${name} ${own}");`)];
  });
  const text = ["#include <stdint.h>", "#include <stddef.h>", ...new RecordWriter(new Map()).definitions(records), ...checks, ""].join("\n");

  test.for(["gcc", "clang-19"])("put every member where it is, and take as much room, for %s", (compiler, context) => {
    if (spawnSync(compiler, ["--version"]).status !== 0) return context.skip(`${compiler} is not installed`);
    const { status, stderr } = spawnSync(compiler, ["-std=gnu11", "-w", "-fsyntax-only", "-xc", "-"], { input: text, encoding: "utf8" });
    expect(stderr.split("\n").filter((line) => line.includes("error")).slice(0, 5)).toEqual([]);
    expect(status).toBe(0);
  });

  test("say so where the rules of C would put members elsewhere", () => {
    expect(text).toContain("__attribute__((packed))");
    expect(text).toContain("uint8_t gap_");
    expect(text.match(/packed/g)?.length ?? 0).toBeLessThan(records.length);
  });
});
