// Packs every public package as it would be published and looks at the result the way its users will: publint and
// are-the-types-wrong on each library, then installations of the tarballs outside the workspace, where every library is
// imported and every command is started.
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { bundleApps } from "./bundle.mjs";
import { otherNodes } from "./other-nodes.mjs";
import { npmCommand, runPnpm } from "./pnpm.mjs";
import { memberDirectories, readManifest, root } from "./workspace.mjs";

const run = promisify(execFile);
const published = memberDirectories()
  .map((directory) => ({ directory, manifest: readManifest(directory) }))
  .filter(({ manifest }) => !manifest.private);
const libraries = published.filter(({ manifest }) => manifest.exports);
const apps = published.filter(({ manifest }) => manifest.bin);
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "check", version: "1" } },
};
const sample = "/bin/true";
const temporary = mkdtempSync(join(tmpdir(), "rea-pack-"));
const problems = [];
/** A directory of two files and an archive, listed by the installed library under one version of Node. */
const inventoryExample = `
import { inventory, openArtifact } from "@rea/artifact";
import { mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
mkdirSync("example", { recursive: true });
writeFileSync("example/a.txt", "a");
writeFileSync("example/b.gz", gzipSync("b"));
const artifact = openArtifact("example");
const { graph } = await inventory(artifact);
artifact.close();
console.log(graph.occurrences.map(({ logical_path }) => logical_path).sort().join(" "));
`;

try {
  await bundleApps();
  pack();
  for (const { directory, manifest } of published) checkContents(directory, manifest);
  for (const { manifest } of libraries) await lint(manifest);
  for (const { manifest } of libraries) await checkTypes(manifest);
  await checkInstallation();
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
console.log(`${published.length} packages packed, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;

function pack() {
  const filters = published.flatMap(({ manifest }) => ["--filter", manifest.name]);
  const { status, output } = runPnpm(["--recursive", ...filters, "pack", "--pack-destination", temporary]);
  if (status !== 0) throw new Error(`pnpm pack failed:\n${output}`);
}

function tarball({ name, version }) {
  return join(temporary, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
}

// Beyond compiled files, and what engines of users read with interpreters of their own, nothing belongs in a package: no
// sources, tests or build state; and no workspace: range.
function checkContents(directory, manifest) {
  const unpacked = join(temporary, "unpacked", directory);
  mkdirSync(unpacked, { recursive: true });
  execFileSync("tar", ["-xzf", tarball(manifest), "-C", unpacked]);
  const files = readdirSync(join(unpacked, "package"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(unpacked, "package").length + 1));
  const allowed = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/.*\.(js|d\.ts|json)|(dist\/build-\w+\/(ghidra|hopper)-)?bridge\/.*\.(java|py))$/;
  for (const file of files) {
    if (!allowed.test(file) || /\.test\./.test(file)) problems.push(`${manifest.name}: packs ${file}`);
  }
  if (!files.some((file) => file.startsWith("dist/"))) problems.push(`${manifest.name}: packs no dist; build it first`);
  const packed = readFileSync(join(unpacked, "package", "package.json"), "utf8");
  for (const leak of ["workspace:", "catalog:", "@rea/source"]) {
    if (JSON.parse(packed).dependencies && dependencyText(packed).includes(leak)) {
      problems.push(`${manifest.name}: its packed manifest still says ${leak}`);
    }
  }
}

// devDependencies are not installed by users.
function dependencyText(packed) {
  const { dependencies, exports } = JSON.parse(packed);
  return JSON.stringify({ dependencies, exports });
}

async function lint(manifest) {
  const bytes = readFileSync(tarball(manifest));
  const result = await publint({
    strict: true,
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
  });
  for (const message of result.messages) {
    if (message.type === "suggestion") continue;
    problems.push(`${manifest.name}: publint: ${formatMessage(message, result.pkg)}`);
  }
}

async function checkTypes(manifest) {
  const attw = join(root, "node_modules", "@arethetypeswrong", "cli", "dist", "index.js");
  try {
    await run(process.execPath, [attw, tarball(manifest), "--profile", "esm-only", "--format", "ascii", "--no-color"]);
  } catch (error) {
    problems.push(`${manifest.name}: are the types wrong?\n${error.stdout}${error.stderr}`);
  }
}

async function checkInstallation() {
  const together = await install("libraries", libraries);
  for (const { manifest } of libraries) {
    const script = `await import(${JSON.stringify(manifest.name)})`;
    await attempt(`${manifest.name}: cannot be imported`, ["--input-type=module", "-e", script], together);
  }
  const alones = [];
  // An app is installed alone: everything else it needs must be inside its bundle.
  for (const app of apps) {
    const { name, bin } = app.manifest;
    const alone = await install(`alone/${name}`, [app]);
    const main = join(alone, "node_modules", name, Object.values(bin)[0]);
    if (bin.rea) alones.push(main);
    await attempt(`${name}: does not start`, [main, "--version"], alone);
    // Reaches the worker thread and the WebAssembly disassembler.
    if (bin.rea && existsSync(sample)) await attempt(`${name}: cannot analyse`, [main, "analyze", sample], alone);
  }
  await checkNodes(together, alones);
}

/** The library that other programs import, and both commands, on the versions of Node that can be had here. */
async function checkNodes(together, alone) {
  const nodes = [["this Node", process.execPath], ...otherNodes(join(root, "node_modules", ".cache", "nodes"))];
  for (const [title, node] of nodes) {
    const { stdout, stderr } = spawnSync(node, ["--input-type=module", "-e", inventoryExample], { cwd: together, encoding: "utf8" });
    if (stdout.trim() !== ". a.txt b.gz b.gz!/b") problems.push(`@rea/artifact on ${title}: ${stdout}${stderr}`);
    for (const main of alone) {
      const { status, stdout: version, stderr: trouble } = spawnSync(node, [main, "--version"], { encoding: "utf8", input: "" });
      if (status !== 0 || version === "") problems.push(`${main.slice(temporary.length)} on ${title}: ${trouble}`);
    }
    console.log(`packages checked on ${title} (${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()})`);
  }
}

async function install(directory, members) {
  const home = join(temporary, directory);
  mkdirSync(home, { recursive: true });
  const dependencies = Object.fromEntries(members.map(({ manifest }) => [manifest.name, `file:${tarball(manifest)}`]));
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  const [command, first] = npmCommand();
  await run(command, [...first, "install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: home });
  return home;
}

async function attempt(failure, args, cwd) {
  try {
    const running = run(process.execPath, args, { cwd, timeout: 120_000 });
    // A server answers this and ends with its input; everything else ignores it.
    running.child.stdin.on("error", () => undefined);
    running.child.stdin.end(`${JSON.stringify(initialize)}\n`);
    const { stdout } = await running;
    if (args.includes("--version") && stdout === "") problems.push(`${failure}: it answers nothing`);
  } catch (error) {
    problems.push(`${failure}: ${error.stderr || error.message}`);
  }
}
