import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { RebuildRoom } from "./rebuild-room.js";

const room = new RebuildRoom();
afterAll(() => { room.remove(); });

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const settings = ["gcc", "clang-19"].flatMap((compiler) => ["-O0", "-O1", "-O2", "-O3"].map((level) => [compiler, level] as const));
const toolsAreHere = has("gcc") && has("objcopy") && process.arch === "x64";

interface Case {
  readonly about: string;
  /** Types that both files know. */
  readonly types?: string;
  readonly source: string;
  readonly declared: string;
  readonly shown: string;
}

/** Each was written as C that meant something else where no debug information tells types, found by random programs. */
const cases: readonly Case[] = [
  {
    about: "a switch over what stays the same in a loop",
    source: "int32_t g; int32_t f(int32_t a, int32_t n) { int32_t s = 0; for (int32_t i = 0; i < n; i++) { switch (a & 7) { case 0: s += i * 3; break; case 2: s ^= n; break; case 3: g += s; break; case 5: s -= g; case 6: s = s * 5 + i; break; case 7: g ^= i; break; } s += g; } return s; }",
    declared: "int32_t f(int32_t, int32_t);",
    shown: 'for (int i = 0; i < 9; i++) printf("%d\\n", f(i, 6));',
  },
  {
    about: "switches one behind the other, whose tables stand side by side",
    source: "uint32_t f(uint32_t a, uint32_t b) { uint32_t s = 0; switch (a % 7) { case 0: s = 3; break; case 1: s = b; break; case 2: s = a * 5; break; case 4: s = ~b; break; case 5: s = 77; break; } switch ((s + b) & 7) { case 1: s += 11; break; case 2: s ^= 0x55; break; case 3: s *= 3; break; case 4: s -= b; break; case 6: s = a; break; } return s; }",
    declared: "uint32_t f(uint32_t, uint32_t);",
    shown: 'for (uint32_t i = 0; i < 40; i++) printf("%u\\n", f(i, i * 7 + 3));',
  },
  {
    about: "one of two floating constants, the first of which begins with zeros",
    source: "double f(int32_t a) { return a == 3 ? 12.0 : 4032.25; } float h(int32_t a) { return a == 3 ? 0.5f : 127.0f; }",
    declared: "double f(int32_t); float h(int32_t);",
    shown: 'printf("%g %g %g %g\\n", f(3), f(4), h(3), h(4));',
  },
  {
    about: "the end of an array that a pointer is compared with",
    source: "double a[8] = {1, 2, 3, 4, 5, 6, 7, 8}; double g = 2; __attribute__((noinline)) void h(double x) { g = g / 3 + x; } void f(void) { for (int32_t i = 0; i < 5; i++) { h(a[i]); a[i] = g / 9.25; } }",
    declared: "void f(void); extern double a[8], g;",
    shown: 'f(); for (int i = 0; i < 8; i++) printf("%.17g\\n", a[i]); printf("%.17g\\n", g);',
  },
  {
    about: "how far a pointer is from the start of an array, in one byte",
    source: "int8_t a[8] = {1, 2, 3, 4, 5, 6, 7, 8}; int32_t g; __attribute__((noinline)) void h(int32_t x) { g = g * 31 + x; } int32_t f(int32_t n) { int32_t s = 0; for (int32_t i = 0; i < 6; i++) { if (a[i] > n) s = (int8_t)((uint8_t)i ^ 16); h(s); } return s; }",
    declared: "int32_t f(int32_t); extern int32_t g;",
    shown: 'printf("%d %d %d\\n", f(2), f(100), g);',
  },
  {
    about: "a low byte that is changed in place of a wider result",
    source: "int32_t g = 1; uint32_t f(int32_t a, int32_t b) { uint32_t l = (uint32_t)(-(a % (b + 1))); return (g & l) | 128u; }",
    declared: "uint32_t f(int32_t, int32_t);",
    shown: 'printf("%u %u\\n", f(7, 3), f(8, 2));',
  },
  {
    about: "a number of 16 bits that is shifted and divided",
    source: "uint32_t f(uint32_t a, int64_t *p) { *p -= (uint32_t)(uint16_t)a % 922u; return (uint16_t)((uint16_t)a >> 1) / 461u; }",
    declared: "uint32_t f(uint32_t, int64_t *);",
    shown: 'int64_t x = 5; printf("%u %u %u\\n", f(0x12345678, &x), f(0xffffffff, &x), f(0x10000, &x)); printf("%lld\\n", (long long)x);',
  },
  {
    about: "a narrow floating result that is kept over a loop",
    source: "float g = 1.5f; __attribute__((noinline)) float h(void) { g = g * 1.25f + 1; return g; } float a[4]; void f(int32_t n) { float l = h(); for (int32_t i = 0; i < n; i++) { if (i & 1) a[i & 3] = h(); else l = h() * 10; } a[0] += l; }",
    declared: "void f(int32_t); extern float a[4];",
    shown: 'f(7); for (int i = 0; i < 4; i++) printf("%.9g\\n", a[i]);',
  },
  {
    about: "structures that come back in two registers",
    types: "typedef struct { int64_t a, b; } Pair; typedef struct { double x, y; } Point; typedef struct { int64_t n; double d; } Mixed; typedef struct { int32_t a, b, c; } Three; typedef struct { float x, y, z; } Vector;",
    source: "Pair f(int64_t a, int64_t b) { Pair p = {b + 1, a * 2}; return p; } Point g(Point a, double k) { Point p = {a.x * k + a.y, a.y - 1}; return p; } Mixed h(Mixed m) { Mixed r = {m.n + 5, m.d * m.n}; return r; } Three three(int32_t a) { Three t = {a, a + 1, a * a}; return t; } Vector cross(Vector a, Vector b) { Vector r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; return r; } double use(double x) { Point p = {x, 2}; Point q = g(p, 3); Pair r = f((int64_t)x, 4); return q.x - q.y + r.a * 10 + r.b; }",
    declared: "Pair f(int64_t, int64_t); Point g(Point, double); Mixed h(Mixed); Three three(int32_t); Vector cross(Vector, Vector); double use(double);",
    shown: 'Pair p = f(3, 4); Point q = g((Point){1.5, 2}, 3); Mixed m = h((Mixed){7, 1.25}); Three t = three(5); Vector v = cross((Vector){1, 2, 3}, (Vector){4, 6, 5}); printf("%lld %lld %g %g %lld %g %d %d %d %g %g %g %g\\n", (long long)p.a, (long long)p.b, q.x, q.y, (long long)m.n, m.d, t.a, t.b, t.c, v.x, v.y, v.z, use(2.5));',
  },
  {
    about: "functions behind pointers that take and give floating numbers",
    source: "double f(double (*p)(double), double a, int32_t n) { double s = 0; for (int32_t i = 0; i < n; i++) s += p(a + i * 0.5); return s; } double g(double (*p)(double)) { return p(2.5); }",
    declared: "double f(double (*)(double), double, int32_t); double g(double (*)(double)); double square(double x) { return x * x; }",
    shown: 'printf("%g %g\\n", f(square, 1, 4), g(square));',
  },
  {
    about: "the lowest bit of what is negated one way and multiplied the other",
    source: "uint32_t f(uint32_t a, uint32_t b, uint32_t c) { uint32_t r; if ((int32_t)a >= (int32_t)b) r = -a; else r = a * c; return r & 1; }",
    declared: "uint32_t f(uint32_t, uint32_t, uint32_t);",
    shown: 'for (uint32_t i = 0; i < 9; i++) printf("%u %u\\n", f(i, 4, 3), f(i, i + 1, 5));',
  },
];

describe.each(settings)("by %s at %s, without debug information", (compiler, level) => {
  test.for(cases.map((each) => [each.about, each] as const))("%s", async ([, { types = "", source, declared, shown }], context) => {
    if (!toolsAreHere || !has(compiler)) return context.skip(`${compiler} or objcopy for x86-64 is not installed`);
    const head = `#include <stdint.h>\n#include <stdio.h>\n${types}\n`;
    const functions = [...source.matchAll(/(?:^|[;}] )(?:__attribute__\(\(noinline\)\) )?\w+ (\w+)\([^;{}=]*\) \{/g)].flatMap(([, name]) => name ?? []);
    const driver = `${head}${declared}\nint main(void) {\n  ${shown}\n  return 0;\n}\n`;
    expect(await room.judge({ source: `${head}${source}\n`, driver, functions }, { compiler, flags: [level] })).toEqual({ kind: "same" });
  });
});
