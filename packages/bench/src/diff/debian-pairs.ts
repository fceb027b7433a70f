import { join } from "node:path";
import { fetchOnce } from "../corpus/fetch-sources.js";
import { isInstalled, output } from "../corpus/programs.js";
import type { NamesByAddress } from "./match-score.js";

/** A file of a package in two versions that the host's package sources offer. */
export interface DebianPair {
  readonly older: DebianFile;
  readonly newer: DebianFile;
}

export interface DebianFile {
  readonly version: string;
  readonly file: string;
}

/** Fetches the two newest versions; a reason where there are not two. */
export async function debianPair(name: string, member: string): Promise<DebianPair | { readonly skipped: string }> {
  for (const program of ["apt-cache", "apt-get", "dpkg-deb"]) if (!isInstalled(program)) return { skipped: `${program} is not installed` };
  const listed = await output(["apt-cache", "madison", name]);
  const versions = [...new Set(listed.split("\n").flatMap((line) => line.split("|")[1]?.trim() ?? []))];
  const [newest, before] = versions;
  if (newest === undefined || before === undefined) return { skipped: `the package sources offer one version of ${name}` };
  const [older, newer] = [await debianFile(name, before, member), await debianFile(name, newest, member)];
  if ("skipped" in older) return older;
  return "skipped" in newer ? newer : { older, newer };
}

async function debianFile(name: string, version: string, member: string): Promise<DebianFile | { readonly skipped: string }> {
  const fetched = await fetchOnce(`${name}_${version.replaceAll(/[^\w.+~-]/gu, "_")}`, async (directory) => {
    await output(["apt-get", "-q", "download", `${name}=${version}`], { cwd: directory });
    const [archive = ""] = (await output(["find", directory, "-maxdepth", "1", "-name", "*.deb"])).split("\n");
    await output(["dpkg-deb", "-x", archive, join(directory, "package")]);
  });
  return "reason" in fetched ? { skipped: fetched.reason } : { version, file: join(fetched.root, member) };
}

/** Functions that a stripped library exports, by address: the names that are left to judge by. */
export async function exportedNames(file: string): Promise<NamesByAddress> {
  const lines = (await output(["nm", "-D", "--defined-only", file])).split("\n");
  const names = new Map<bigint, string[]>();
  for (const line of lines) {
    const [, address, name] = /^([0-9a-f]+) [TtWi] ([^@]+)/u.exec(line) ?? [];
    if (address === undefined || name === undefined) continue;
    const at = BigInt(`0x${address}`);
    names.set(at, [...(names.get(at) ?? []), name]);
  }
  return names;
}
