import { npmSources } from "../corpus/fetch-sources.js";
import { join } from "node:path";
import { compareFiles } from "./compared-files.js";
import { debianPair, exportedNames } from "./debian-pairs.js";
import { levelPairs, namesOf } from "./level-pairs.js";
import { pooled, precision, recall, scoreMatches, type MatchScore } from "./match-score.js";
import { buildSqlite, newer, older } from "./sqlite-builds.js";

/** Two releases of one Go program of some 10 MB, for the time it takes. */
const large = [
  { specification: "@esbuild/linux-x64@0.28.1", integrity: "sha512-u/anNYF2mmVOEDwLtnQ1wOr3EZ9sTNGLWrsYGYwHWzGA3Si84IOkHXlbWTD1NB+9/1lcnweYKO54uhxZydNzfA==" },
  { specification: "@esbuild/linux-x64@0.28.2", integrity: "sha512-4xTZr1FUmSoQW4XIWmit3tzQrUTZM+N3P0XV8xROKYF50XfI7xeO90+1bZvNwxIufQ9hDQVRJH5YhgPVF8A/HQ==" },
] as const;

/** Programs and libraries of which a distribution has more than one version at a time. */
const debian = [
  { name: "git", member: "usr/bin/git", exports: false },
  { name: "libssl3", member: "usr/lib/x86_64-linux-gnu/libcrypto.so.3", exports: true },
  { name: "libcurl4", member: "usr/lib/x86_64-linux-gnu/libcurl.so.4.8.0", exports: true },
] as const;

/**
 * Judges how functions of two programs are matched without their names, against their symbols: the next patch release of one
 * source, the same build stripped and not, -O2 against -O3; and how long two programs of 10 MB take.
 */
export async function runDiffBench(folder: string | undefined): Promise<void> {
  say("matching of functions, names left aside                 precision  recall   target        functions");
  await releases();
  const scores: MatchScore[] = [];
  for (const { name, left, right } of await levelPairs(folder)) {
    const { pairs } = await compareFiles(left.file, right.file);
    const score = scoreMatches(pairs, namesOf(left.truth), namesOf(right.truth));
    scores.push(score);
    row(`${name} -O2 against -O3`, score, "");
  }
  row("-O2 against -O3, all", pooled(scores), "0.95 / 0.75");
  await distributed();
  await largePrograms();
}

async function releases(): Promise<void> {
  const [before, after] = [await buildSqlite(older, "-O2"), await buildSqlite(newer, "-O2")];
  if ("skipped" in before || "skipped" in after) {
    say(`  SQLite: skipped, ${"skipped" in before ? before.skipped : "skipped" in after ? after.skipped : ""}`);
    return;
  }
  const next = await compareFiles(before.stripped, after.stripped);
  row(`SQLite ${older.version} against ${newer.version}, -O2`, scoreMatches(next.pairs, before.names, after.names), "0.99 / 0.97");
  const same = await compareFiles(before.full, before.stripped);
  row(`SQLite ${older.version}, with symbols against stripped`, scoreMatches(same.pairs, before.names, before.names), "1.0 / 0.995");
  const other = await buildSqlite(older, "-O2", "SQLITE_DEFAULT_PAGE_SIZE=8192");
  if ("skipped" in other) return;
  const constant = await compareFiles(before.stripped, other.stripped);
  row(`SQLite ${older.version}, one constant changed (${String(constant.changed)} functions differ)`, scoreMatches(constant.pairs, before.names, other.names), "");
}

/** Two versions as a distribution has them: stripped, judged by what a library exports, or only counted. */
async function distributed(): Promise<void> {
  for (const { name, member, exports } of debian) {
    const pair = await debianPair(name, member);
    if ("skipped" in pair) {
      say(`  ${name} of Debian: skipped, ${pair.skipped}`);
      continue;
    }
    const { older: before, newer: after } = pair;
    const { pairs, changed, milliseconds } = await compareFiles(before.file, after.file);
    const label = `${name} ${before.version} against ${after.version}`;
    if (exports) row(label, scoreMatches(pairs, await exportedNames(before.file), await exportedNames(after.file)), "");
    say(`    ${exports ? "" : `${label}: `}${String(pairs.length)} functions matched, ${String(changed)} of them changed, ${seconds(milliseconds)}`);
  }
}

async function largePrograms(): Promise<void> {
  const files: string[] = [];
  for (const { specification, integrity } of large) {
    const fetched = await npmSources(specification, integrity);
    if ("reason" in fetched) return say(`  two programs of 10 MB: skipped, ${fetched.reason}`);
    files.push(join(fetched.root, "bin", "esbuild"));
  }
  const [left = "", right = ""] = files;
  const first = await compareFiles(left, right);
  const again = await compareFiles(left, right);
  const cpu = again.cpuMs === undefined ? "" : `, ${seconds(again.cpuMs)} of CPU`;
  say(`two programs of 10 MB: ${seconds(first.milliseconds)} at first, ${seconds(again.milliseconds)} from cache${cpu} (target 20 s); ${String(again.pairs.length)} functions matched`);
  // A Go program keeps the names of its functions for its own use, so what has the same name in both tells what is right.
  const named = (await compareFiles(left, right, { names: true })).pairs.filter(({ basis }) => basis === "name");
  const truth = (side: "left" | "right") => new Map(named.map((pair, index) => [pair[side], [String(index)]] as const));
  row("the same, names left aside", scoreMatches(again.pairs, truth("left"), truth("right")), "0.99 / 0.97");
}

function row(name: string, score: MatchScore, target: string): void {
  say(`  ${name.padEnd(52)}  ${precision(score).toFixed(4)}   ${recall(score).toFixed(4)}   ${target.padEnd(12)}  ${String(score.possible)}`);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
