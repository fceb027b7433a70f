import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { npmSources } from "../corpus/fetch-sources.js";
import { builtPrograms } from "../corpus/places.js";
import { isInstalled, output } from "../corpus/programs.js";
import { textSymbols } from "../corpus/symbols.js";
import type { NamesByAddress } from "./match-score.js";

/** A release of SQLite as one source file, carried by a package. */
export interface SqliteRelease {
  readonly version: string;
  readonly specification: string;
  readonly integrity: string;
}

export const older: SqliteRelease = {
  version: "3.47.1",
  specification: "better-sqlite3@11.6.0",
  integrity: "sha512-2J6k/eVxcFYY2SsTxsXrj6XylzHWPxveCn4fKPKZFv/Vqn/Cd7lOuX4d7rGQXT5zL+97MkNL3nSbCrIoe3LkgA==",
};
export const newer: SqliteRelease = {
  version: "3.47.2",
  specification: "better-sqlite3@11.7.0",
  integrity: "sha512-mXpa5jnIKKHeoGzBrUJrc65cXFKcILGZpU3FXR0pradUEm9MA7UZz02qfEejaMcm9iXrSOCenwwYMJ/tZ1y5Ig==",
};

export interface SqliteBuild {
  /** With its symbol table, and the same without. */
  readonly full: string;
  readonly stripped: string;
  readonly names: NamesByAddress;
}

/** Builds a release once with gcc, with one constant of its sources (`NAME=VALUE`) set to another value where asked for; a reason where that cannot be done. */
export async function buildSqlite({ version, specification, integrity }: SqliteRelease, level: string, constant?: string): Promise<SqliteBuild | { readonly skipped: string }> {
  for (const program of ["gcc", "strip", "readelf"]) if (!isInstalled(program)) return { skipped: `${program} is not installed` };
  const fetched = await npmSources(specification, integrity);
  if ("reason" in fetched) return { skipped: fetched.reason };
  const place = join(builtPrograms, `sqlite-${version}${level}${constant === undefined ? "" : `-${constant}`}`);
  const source = join(fetched.root, "deps", "sqlite3", "sqlite3.c");
  if (!existsSync(place)) await build({ source, place, options: [level, ...(constant === undefined ? [] : [`-D${constant}`])] });
  const full = join(place, "full");
  const names = new Map<bigint, string[]>();
  const { functions } = await textSymbols(full, "elf");
  // Split-off parts have symbols of their own and are parts of their functions.
  for (const { start, name } of functions.filter((one) => !/\.cold(?:\.\d+)?$/u.test(one.name))) names.set(BigInt(start), [...(names.get(BigInt(start)) ?? []), name]);
  return { full, stripped: join(place, "stripped"), names };
}

async function build({ source, place, options }: { readonly source: string; readonly place: string; readonly options: readonly string[] }): Promise<void> {
  await mkdir(builtPrograms, { recursive: true });
  const work = await mkdtemp(join(builtPrograms, ".building-"));
  try {
    const main = join(work, "main.c");
    await writeFile(main, "int sqlite3_open(const char *, void **); int main(int n, char **v) { void *db; return sqlite3_open(v[n - 1], &db); }\n");
    await output(["gcc", ...options, "-w", "-DSQLITE_THREADSAFE=0", "-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_RTREE", "-o", join(work, "full"), main, source, "-lm", "-ldl"]);
    await copyFile(join(work, "full"), join(work, "stripped"));
    await output(["strip", join(work, "stripped")]);
    await rename(work, place);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
