// Prints docs/examples/pseudocode.md anew: `node docs/examples/pseudocode/beside-source.mjs [SOURCES]`.
//
// SOURCES is a folder that holds the source packages unpacked as zlib, bzip2 and lz4 (`apt-get source zlib bzip2 lz4`, or the
// folder that `pnpm bench pseudocode programs` keeps them in). With it each function stands beside the lines of its source, to
// be read by oneself; without it only a description of the source does, which is what the repository holds.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const rea = join(here, "..", "..", "..", "apps", "cli", "dist", "main.js");
const [sources] = process.argv.slice(2);
const functions = JSON.parse(readFileSync(join(here, "functions.json"), "utf8"));

const parts = [
  `# Pseudocode beside its source

Ten functions of libraries in Debian 12 (amd64), which are built with optimisation and carry no debug information, as \`rea decompile
PROGRAM FUNCTION\` writes them. Each stands beside what its source does and where that is; under it what is worse than the source says.
The sources are not ours to copy: \`node docs/examples/pseudocode/beside-source.mjs SOURCES\` prints this page with them.
`,
];
for (const { package: name, program, function: fn, source, file, from, to, does, worse } of functions) {
  if (!existsSync(program)) {
    process.stderr.write(`${program} is not installed; the functions of ${name} are left out.\n`);
    continue;
  }
  const text = execFileSync(process.execPath, [rea, "decompile", program, fn], { encoding: "utf8" });
  parts.push(`## ${fn}\n\n${name}, \`${source}/${file}\`, lines ${from} to ${to}. ${does}\n`);
  const lines = sources === undefined ? undefined : linesOf(join(sources, source), file, from, to);
  if (lines !== undefined) parts.push(`\`\`\`c\n${lines}\n\`\`\`\n`);
  parts.push(`\`\`\`c\n${text.trimEnd()}\n\`\`\`\n\n${worse}\n`);
}
process.stdout.write(parts.join("\n"));

/** Undefined, with a line on standard error, where the file is not there. */
function linesOf(root, file, from, to) {
  const path = [join(root, file), join(root, "package", file)].find((each) => existsSync(each));
  if (path !== undefined) return readFileSync(path, "utf8").split("\n").slice(from - 1, to).join("\n");
  process.stderr.write(`${join(root, file)} is not there; the source of it is left out.\n`);
  return undefined;
}
