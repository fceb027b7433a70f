import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, linkSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tarFormat } from "../../src/formats/tar/tar-format.js";
import { collect, sha256 } from "../sequential/collect-entries.js";

let root = "";
const deep = `${"a".repeat(60)}/${"b".repeat(60)}/${"ü".repeat(60)}`;
const sparseBytes = 5_000_000;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "rea-tar-"));
  const tree = join(root, "tree");
  mkdirSync(join(tree, deep), { recursive: true });
  writeFileSync(join(tree, deep, "deep file"), "deep");
  writeFileSync(join(tree, "empty"), "");
  writeFileSync(join(tree, "exact"), "x".repeat(1024));
  writeFileSync(join(tree, "run"), "#!/bin/sh\n", { mode: 0o755 });
  linkSync(join(tree, "exact"), join(tree, "hard"));
  symlinkSync("exact", join(tree, "sym"));
  symlinkSync("t".repeat(150), join(tree, "long-sym"));
  writeSparse(join(tree, "sparse"));
});

afterAll(() => rmSync(root, { recursive: true }));

/** Data at many places, more than fit into one header, and holes between. */
function writeSparse(path: string): void {
  const file = openSync(path, "w");
  for (let at = 0; at < 40; at += 1) writeSync(file, `data ${String(at)}`, at * 100_000 + 40_000);
  closeSync(file);
  truncateSync(path, sparseBytes);
}

const python = "import sys,tarfile;t=tarfile.open(fileobj=sys.stdout.buffer,mode='w|',format=getattr(tarfile,sys.argv[1]));t.add('tree');t.close()";

const writers: readonly (readonly [program: string, args: readonly string[], holdsDeepNames: boolean])[] = [
  ["tar", ["-c", "--format=v7"], false],
  ["tar", ["-c", "--format=oldgnu"], true],
  ["tar", ["-c", "--format=gnu"], true],
  ["tar", ["-c", "--format=ustar"], false],
  ["tar", ["-c", "--format=posix"], true],
  ["tar", ["-c", "--format=gnu", "--sparse"], true],
  ["tar", ["-c", "--format=posix", "--sparse", "--sparse-version=0.0"], true],
  ["tar", ["-c", "--format=posix", "--sparse", "--sparse-version=0.1"], true],
  ["tar", ["-c", "--format=posix", "--sparse", "--sparse-version=1.0"], true],
  ["bsdtar", ["-c", "--format=ustar"], false],
  ["bsdtar", ["-c", "--format=pax"], true],
  ["bsdtar", ["-c", "--format=gnutar"], true],
  ["bsdtar", ["-c", "--format=v7"], false],
  ["python3", ["-c", python, "GNU_FORMAT"], true],
  ["python3", ["-c", python, "PAX_FORMAT"], true],
];

test.for(writers)("reads what %s %j writes", async ([program, args, holdsDeepNames], context) => {
  if (spawnSync(program, ["--version"]).error !== undefined) context.skip(`${program} is not installed`);
  const last = program === "python3" ? [] : ["-f", "-", "tree"];
  const { stdout } = spawnSync(program, [...args, ...last], { cwd: root, maxBuffer: 1 << 26, env: { ...process.env, LC_ALL: "C.UTF-8" } });
  const seen = await collect(tarFormat, stdout, { pieceBytes: 65_536 });
  const members = new Map(seen.entries.map((entry) => [entry.name.replace(/\/$/, ""), entry]));
  const file = (name: string): string | undefined => members.get(`tree/${name}`)?.sha256;
  expect(file("sparse")).toBe(sha256(readFileSync(join(root, "tree/sparse"))));
  expect(members.get("tree/sparse")?.entry.declaredBytes).toBe(sparseBytes);
  expect([file("empty"), file("run")]).toEqual([sha256(""), sha256("#!/bin/sh\n")]);
  expect(members.get("tree/run")?.entry.executable).toBe(true);
  const linked = [members.get("tree/exact"), members.get("tree/hard")];
  expect(linked.map((entry) => entry?.sha256 ?? entry?.link).sort()).toEqual([sha256("x".repeat(1024)), linked.find((entry) => entry?.kind === "hardlink")?.link].sort());
  expect(members.get("tree/sym")?.link).toBe("exact");
  if (holdsDeepNames) expect(file(`${deep}/deep file`)).toBe(sha256("deep"));
  expect([seen.anomalies, seen.omissions]).toEqual([[], []]);
});

test("a listing of bsdtar has the same members in the same order", async (context) => {
  if (spawnSync("bsdtar", ["--version"]).error !== undefined) context.skip("bsdtar is not installed");
  const bytes = execFileSync("bsdtar", ["-cf", "-", "tree"], { cwd: root, maxBuffer: 1 << 26 });
  const listed = execFileSync("bsdtar", ["-tf", "-"], { input: bytes, env: { ...process.env, LC_ALL: "C.UTF-8" } }).toString("utf8").split("\n").filter((line) => line !== "");
  expect((await collect(tarFormat, bytes)).entries.map(({ name }) => name)).toEqual(listed);
});
