import type { Target } from "@rea/provider";

const flags: ReadonlyMap<string, string> = new Map([
  ["x86", "--intel-32"],
  ["x86_64", "--intel-64"],
  ["arm", "--armv7"],
  ["arm64", "--aarch64"],
]);

export function architectureFlag(architecture: string | null): string | undefined {
  return architecture === null ? undefined : flags.get(architecture);
}

/** What tells Hopper how to read a target, so that it asks nobody: its loader and, where a file may hold several, the slice. */
export function loaderArguments(target: Pick<Target, "kind" | "format" | "architecture" | "available_architectures">): readonly string[] {
  if (target.kind === "database") return [];
  const flag = architectureFlag(target.architecture);
  const slice = flag === undefined ? [] : [flag];
  if (target.format === "elf") return ["-l", "ELF"];
  if (target.format === "pe") return ["-l", "WinPE"];
  const universal = target.format === "mach-o-universal" || target.available_architectures.length > 1;
  return universal ? ["-l", "FAT", ...slice, "-l", "Mach-O"] : ["-l", "Mach-O", ...slice];
}
