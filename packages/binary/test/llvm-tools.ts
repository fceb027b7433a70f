import { execFileSync } from "node:child_process";

const outputBytes = 1 << 30;

/** True when the program starts on this host. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Standard output of a program; throws when it fails. */
export function output(program: string, args: readonly string[], cwd?: string): string {
  return execFileSync(program, [...args], { maxBuffer: outputBytes, encoding: "latin1", stdio: ["ignore", "pipe", "ignore"], cwd });
}

/** What a program printed before it gave up, or all of it. */
export function partialOutput(program: string, args: readonly string[]): { readonly text: string; readonly whole: boolean } {
  try {
    return { text: output(program, args), whole: true };
  } catch (error) {
    const text = error instanceof Error && "stdout" in error && typeof error.stdout === "string" ? error.stdout : "";
    return { text, whole: false };
  }
}

/** Bodies of the blocks `name {` … `}` of llvm-readobj's text, matched by indentation; `depth` blanks only. */
export function blocks(text: string, name: string, depth?: number): readonly string[] {
  const found: string[] = [];
  let indent: string | undefined;
  let body: string[] = [];
  for (const line of text.split("\n")) {
    if (indent === undefined) {
      const open = new RegExp(`^( *)${name} \\{$`).exec(line);
      if (open === null || (depth !== undefined && open[1]?.length !== depth)) continue;
      indent = open[1] ?? "";
      body = [];
    } else if (line === `${indent}}`) {
      found.push(body.join("\n"));
      indent = undefined;
    } else body.push(line);
  }
  return found;
}

/** First value of `key: …` in a block; empty when absent. */
export function field(block: string, key: string): string {
  return new RegExp(`^ *${key}: ?(.*)$`, "m").exec(block)?.[1] ?? "";
}

/** A number written in decimal or as `0x…`. */
export function numberField(block: string, key: string): number {
  return Number(field(block, key) || "0");
}
