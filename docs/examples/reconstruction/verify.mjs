// Runs cksum and its copy on three inputs, compares the runs, and has the claims of specification.json judged.
//
//   node verify.mjs                  all three
//   node verify.mjs --without long   as if the runs on the long file had got lost
//
// REA_MAIN names a built command-line program; without it, rea is taken from PATH.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const inputs = join(here, "inputs");
const copy = join(here, "copy", "cksum.mjs");
const lost = process.argv[2] === "--without" ? process.argv[3] : undefined;
const cases = ["short", "long", "missing"];
const place = mkdtempSync(join(tmpdir(), "reconstruction-"));

function rea(...words) {
  const [program, ...before] = process.env.REA_MAIN === undefined ? ["rea"] : [process.execPath, process.env.REA_MAIN];
  const { status, stdout, stderr, error } = spawnSync(program, [...before, ...words], { cwd: inputs, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

function succeed(...words) {
  const { status, stdout, stderr } = rea(...words);
  if (status !== 0) throw new Error(`rea ${words[0]} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Both runs of a case and their comparison, in one bundle; returns the id of the comparison. */
function compared(name) {
  const bundle = (what) => join(place, `${name}-${what}.json`);
  const file = `${name}.txt`;
  // Through env, so that it is started under its plain name, as a shell would: the name is part of its messages.
  succeed("capture-process", "--save-evidence", bundle("original"), "--", "env", "cksum", file);
  succeed("capture-process", "--save-evidence", bundle("copy"), "--", process.execPath, copy, file);
  const answer = succeed("compare-process-captures", bundle("original"), bundle("copy"), "--json", "--save-evidence", bundle("both"));
  return JSON.parse(answer).evidence_id;
}

try {
  const ids = Object.fromEntries(cases.map((name) => [name, compared(name)]));
  const { claims, ...specification } = JSON.parse(readFileSync(join(here, "specification.json"), "utf8"));
  const filled = { ...specification, claims: claims.map((claim) => ({ ...claim, comparison: { evidence_id: ids[claim.comparison] } })) };
  writeFileSync(join(place, "specification.json"), JSON.stringify(filled));
  const bundles = cases.filter((name) => name !== lost).flatMap((name) => ["--bundle", join(place, `${name}-both.json`)]);
  const { status, stdout, stderr } = rea("verify-reconstruction", join(place, "specification.json"), ...bundles, "--exit-code");
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status ?? 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}
