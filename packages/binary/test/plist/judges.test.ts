import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { plistJson, readPropertyList } from "@rea/binary";

const python = spawnSync("python3", ["-c", "import plistlib"]).status === 0;
const plistutil = spawnSync("plistutil", ["--version"]).status === 0;

/** Lists made by Python with everything the forms can hold, as base64 lines: one binary, one XML. */
const script = `
import plistlib, base64, datetime, json, sys
value = {
  "text": "plain", "wide": "\\u00fc\\u2713\\U0001f600", "empty": "", "multi": "a\\nb\\tc",
  "ints": [0, 1, -1, 255, 256, 65535, 65536, 2**31, 2**32, 2**53 - 1, 2**53 + 1, 2**63 - 1, -(2**63), 2**64 - 1],
  "reals": [0.5, -1.25, 1e300], "flags": [True, False], "data": bytes(range(256)) * 3,
  "date": datetime.datetime(2026, 1, 31, 12, 30, 45), "many": ["item %d" % i for i in range(400)],
  "nest": {"a": {"b": {"c": [[], {}]}}}, "__proto__": 1,
}
for fmt in (plistlib.FMT_BINARY, plistlib.FMT_XML):
  print(base64.b64encode(plistlib.dumps(value, fmt=fmt, sort_keys=False)).decode())
`;

interface Shown {
  readonly [key: string]: unknown;
}

function shownFromPython(): Shown {
  const integers = [0, 1, -1, 255, 256, 65535, 65536, 2 ** 31, 2 ** 32, 2 ** 53 - 1, "9007199254740993", "9223372036854775807", "-9223372036854775808", "18446744073709551615"];
  return {
    text: "plain",
    wide: "ü✓😀",
    empty: "",
    multi: "a\nb\tc",
    ints: integers,
    reals: ["0.5", "-1.25", "1e+300"],
    flags: [true, false],
    date: "2026-01-31T12:30:45Z",
    many: Array.from({ length: 400 }, (_, index) => `item ${String(index)}`),
    nest: { a: { b: { c: [[], {}] } } },
  };
}

test.skipIf(!python)("lists written by Python's plistlib read as what was written (skipped without python3)", () => {
  const { stdout } = spawnSync("python3", ["-c", script], { encoding: "utf8" });
  const lists = stdout.trim().split("\n").map((line) => readPropertyList(Buffer.from(line, "base64")));
  expect(lists.map((list) => list?.format)).toEqual(["binary", "xml"]);
  for (const list of lists) {
    if (list === undefined) throw new Error("not read");
    const { value, omissions } = plistJson(list.root);
    expect(omissions).toEqual([]);
    expect(list.findings).toEqual([]);
    expect(value).toMatchObject(shownFromPython());
    expect(value).toMatchObject({ data: { bytes: 768, data: Buffer.from(Array.from({ length: 768 }, (_, index) => index & 0xff)).toString("base64") } });
  }
});

test("libplist turns each form into the next and all read alike", (context) => {
  if (!python || !plistutil) return context.skip("plistutil or python3 is not installed");
  const { stdout } = spawnSync("python3", ["-c", script], { encoding: "utf8" });
  const [binary] = stdout.trim().split("\n");
  const first = Buffer.from(binary ?? "", "base64");
  const asXml = spawnSync("plistutil", ["-i", "-", "-o", "-", "-f", "xml"], { input: first }).stdout;
  const asBinary = spawnSync("plistutil", ["-i", "-", "-o", "-", "-f", "bin"], { input: asXml }).stdout;
  const values = [first, asXml, asBinary].map((bytes) => {
    const list = readPropertyList(bytes);
    return list === undefined ? undefined : plistJson(list.root).value;
  });
  expect(values[0]).toMatchObject(shownFromPython());
  expect(values[1]).toEqual(values[0]);
  expect(values[2]).toEqual(values[0]);
});
