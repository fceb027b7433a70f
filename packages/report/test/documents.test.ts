import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { extract, openArtifact } from "@rea/artifact";
import { Ajv } from "ajv";
import Draft04 from "ajv-draft-04";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { artifactDocument } from "../src/index.js";
import { asar, directoryOf, gzip, inspected } from "./inspected.js";

const require = createRequire(import.meta.url);
const parse = (pieces: Iterable<string>): unknown => JSON.parse([...pieces].join(""));

function cycloneDxSchema(name: string): object {
  const home = dirname(require.resolve("@cyclonedx/cyclonedx-library/package.json"));
  return JSON.parse(readFileSync(join(home, "res", "schema", `${name}.SNAPSHOT.schema.json`), "utf8"));
}

/** Problems that the official schema of SARIF 2.1.0 (rtm.5, as shipped by its vendor) finds. */
function sarifProblems(log: unknown): unknown {
  const ajv = new Draft04.default({ strict: false, unicodeRegExp: false });
  addFormats.default(ajv);
  const home = dirname(require.resolve("@microsoft/jest-sarif/package.json"));
  const valid = ajv.compile(JSON.parse(readFileSync(join(home, "lib", "schemas", "sarif-2.1.0-rtm.5.json"), "utf8")));
  return valid(log) ? [] : valid.errors;
}

/** Problems that the official schema of CycloneDX 1.6 finds. */
function cycloneDxProblems(bill: unknown): unknown {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  // Formats of drafts that Ajv has no judge for.
  for (const format of ["idn-email", "iri-reference"]) ajv.addFormat(format, true);
  const base = "http://cyclonedx.org/schema/";
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs"]) ajv.addSchema({ ...cycloneDxSchema(name), $id: undefined }, `${base}${name}.SNAPSHOT.schema.json`);
  const valid = ajv.compile(cycloneDxSchema("bom-1.6"));
  return valid(bill) ? [] : valid.errors;
}

const wrong = "0".repeat(64);
/** A member with a wrong digest, a good one, and a name that must be escaped in a URI. */
const contradicted = () => asar({ "bad.js": "let a", "good.js": "let b", "a b%.txt": "c" }, { "bad.js": wrong });
const withTrailingData = () => Buffer.concat([gzip("content"), Buffer.from("hidden after the end")]);

describe("SARIF", () => {
  test("a contradiction is an error at its member, and the log fits the official schema", async () => {
    const log = parse(artifactDocument("sarif", await inspected(contradicted(), "app.asar")));
    expect(sarifProblems(log)).toEqual([]);
    expect(log).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "REA", rules: expect.arrayContaining([expect.objectContaining({ id: "integrity_contradiction" })]) } },
          results: expect.arrayContaining([
            expect.objectContaining({
              ruleId: "integrity_contradiction",
              level: "error",
              locations: [expect.objectContaining({ physicalLocation: { artifactLocation: { uri: "bad.js" } } })],
            }),
          ]),
        },
      ],
    });
  });

  test("anomalies carry their offset, what readers differ in, and the container they are in", async () => {
    const path = directoryOf({ "deep dir/x.gz": withTrailingData() });
    const artifact = await inspected(path);
    const log = parse(artifactDocument("sarif", artifact));
    expect(sarifProblems(log)).toEqual([]);
    const [anomaly] = artifact.anomalies;
    expect(log).toMatchObject({
      runs: [
        {
          results: [
            {
              ruleId: "trailing_data",
              level: "warning",
              locations: [{ physicalLocation: { artifactLocation: { uri: "deep%20dir/x.gz" }, region: { byteOffset: anomaly?.offset } } }],
            },
          ],
        },
      ],
    });
  });

  test("an artifact with nothing wrong is a valid log without results", async () => {
    const log = parse(artifactDocument("sarif", await inspected(gzip("x"), "x.gz")));
    expect(sarifProblems(log)).toEqual([]);
    expect(log).toMatchObject({ runs: [{ results: [], tool: { driver: { rules: [] } } }] });
  });

  test("the judge refuses what is no log", () => {
    expect(sarifProblems({ version: "2.1.0", runs: [{ tool: {} }] })).not.toEqual([]);
  });
});

describe("CycloneDX", () => {
  test("equal contents are one component with every place, and the bill fits the official schema", async () => {
    const path = directoryOf({ "a.txt": "same", "b/c.txt": "same", "d.asar": contradicted() });
    const bill = parse(artifactDocument("cyclonedx", await inspected(path, "")));
    expect(cycloneDxProblems(bill)).toEqual([]);
    const digest = createHash("sha256").update("same").digest("hex");
    expect(bill).toMatchObject({
      specVersion: "1.6",
      components: expect.arrayContaining([
        expect.objectContaining({
          name: "a.txt",
          hashes: [{ alg: "SHA-256", content: digest }],
          evidence: { occurrences: [expect.objectContaining({ location: "a.txt" }), expect.objectContaining({ location: "b/c.txt" })] },
        }),
      ]),
      compositions: [{ aggregate: "complete" }],
    });
  });

  test("a complete inventory says so, the same artifact gives the same text, and another one another serial number", async () => {
    const text = async (content: string) => [...artifactDocument("cyclonedx", await inspected(gzip(content), "x.gz"))].join("");
    const [one, again, other] = [await text("x"), await text("x"), await text("y")];
    expect(again).toBe(one);
    const serial = (bill: string): unknown => JSON.parse(bill).serialNumber;
    expect(serial(one)).not.toBe(serial(other));
    expect(cycloneDxProblems(JSON.parse(one))).toEqual([]);
    expect(JSON.parse(one)).toMatchObject({ compositions: [{ aggregate: "complete" }] });
  });

  test("the judge refuses what is no bill", () => {
    expect(cycloneDxProblems({ bomFormat: "CycloneDX", specVersion: "1.6", components: [{ name: "x" }] })).not.toEqual([]);
  });
});

describe("in-toto", () => {
  test("the statement is about the file that was read and repeats the inventory", async () => {
    const bytes = contradicted();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(parse(artifactDocument("in-toto", await inspected(bytes, "app.asar")))).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      subject: [{ name: "app.asar", digest: { sha256 } }],
      predicateType: "urn:rea:artifact-inventory:v1",
      predicate: {
        members: expect.arrayContaining([expect.objectContaining({ logical_path: "bad.js", hash_status: "mismatched" })]),
        integrity_contradictions: [expect.objectContaining({ logical_path: "bad.js", declared_sha256: wrong })],
        coverage: { state: "complete" },
      },
    });
  });

  test("for a directory the subjects are its own files, not what is inside them", async () => {
    const path = directoryOf({ "x.gz": gzip("inside"), "y.txt": "y" });
    expect(parse(artifactDocument("in-toto", await inspected(path)))).toMatchObject({ subject: [{ name: "x.gz" }, { name: "y.txt" }] });
  });
});

describe("sha256sum", () => {
  const program = "sha256sum";
  const present = spawnSync(program, ["--version"]).status === 0;
  const check = (directory: string, lines: string) => {
    const list = join(directoryOf({ "list.txt": lines }), "list.txt");
    return spawnSync(program, ["--strict", "-c", list], { cwd: directory, encoding: "utf8" });
  };

  test.skipIf(!present)("the lines of a directory are accepted inside it and fail after a change (skipped: no sha256sum)", async () => {
    const path = directoryOf({ "a.txt": "a", "wow!": "b", "wow!!/c d.txt": "c", "e.gz": gzip("e") });
    const lines = [...artifactDocument("sha256sum", await inspected(path))].join("");
    expect(lines.split("\n").filter((line) => line !== "")).toHaveLength(4);
    expect(check(path, lines)).toMatchObject({ status: 0, stderr: "" });
    writeFileSync(join(path, "wow!"), "changed");
    expect(check(path, lines).status).not.toBe(0);
  });

  test.skipIf(!present)("the lines of an archive are accepted where it was extracted (skipped: no sha256sum)", async () => {
    const path = join(directoryOf({ "x.asar": contradicted() }), "x.asar");
    const lines = [...artifactDocument("sha256sum", await inspected(path))].join("");
    const artifact = openArtifact(path);
    const { output_root, artifacts } = await extract(artifact, { integrityPolicy: "record-and-continue" });
    artifact.close();
    expect(lines.split("\n").filter((line) => /^[0-9a-f]/u.test(line))).toHaveLength(artifacts.length);
    expect(lines).toContain("# 1 not listed");
    expect(check(output_root, lines)).toMatchObject({ status: 0 });
  });
});
