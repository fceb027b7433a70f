// Bundles the apps with esbuild, straight from the TypeScript sources.
//
// An app's dist holds main.js, a few lines that check the Node version and load the build, one directory per build, named by
// its content, and in code/ the machine code that a first run of a build compiled. A new build never touches the files of an earlier one, so a server that is still running keeps the
// chunks it has yet to load, and two builds at the same time cannot mix.
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { buildCatalogue } from "./bundle-catalogue.mjs";
import { compileCode } from "./compile-code.mjs";
import { engineBuild } from "./engine-build.mjs";
import { say } from "./say.mjs";
import { sourceStamp } from "./source-stamp.mjs";
import { memberDirectories, readManifest, root } from "./workspace.mjs";

/** Threads, each a script of its own beside the app. */
const workers = {
  "worker": "packages/engine/src/worker.ts",
  "javascript-worker": "packages/javascript/src/worker.ts",
  "png-worker": "packages/cdp/src/png-worker.ts",
  "binaries-worker": "packages/compare/src/binaries-worker.ts",
  "screen-worker": "packages/capture/src/screen-worker.ts",
  "reading-worker": "packages/artifact/src/reading-worker.ts",
  "document-worker": "packages/artifact/src/document-worker.ts",
};
/** What programs other than Node read, carried beside the app as it is: directories, by the name they get. */
const carried = {
  "ghidra-bridge": "packages/provider-ghidra/bridge",
  "hopper-bridge": "packages/provider-hopper/bridge",
};
const keepOldBuildsMs = 24 * 60 * 60_000;

/** `clean` also removes every earlier build: for packing, not while a server may still run from one. */
export async function bundleApps({ stamp = sourceStamp(), clean = false } = {}) {
  const catalogue = await buildCatalogue();
  const engine = engineBuild();
  const broken = [];
  for (const app of memberDirectories().filter((member) => member.startsWith("apps/"))) {
    try {
      await bundleApp({ app, stamp, clean, catalogue, engine });
    } catch (error) {
      if (!error.errors) throw error;
      // esbuild has shown its errors already. One broken app does not keep the other from being built.
      broken.push(app);
    }
  }
  if (broken.length > 0) throw new Error(`could not bundle ${broken.join(" and ")}`);
}

async function bundleApp({ app, stamp, clean, catalogue, engine }) {
  const main = join(root, app, "src", "main.ts");
  if (!existsSync(main)) {
    say(`skipped ${app}: it has no src/main.ts yet`);
    return;
  }
  const dist = join(root, app, "dist");
  const files = await compile({ app, main, engine });
  if (catalogue) files.set("catalogue.json", Buffer.from(catalogue));
  for (const [path, contents] of carriedFiles()) files.set(path, contents);
  const id = writeBuild(dist, files);
  if (!existsSync(join(dist, "code", id))) compileCode(join(dist, id));
  writeAtomically(join(dist, "main.js"), launcher(id), 0o755);
  writeAtomically(join(dist, "bundle.stamp"), stamp, 0o644);
  removeOldBuilds(dist, { keep: id, olderThanMs: clean ? 0 : keepOldBuildsMs });
}

// What libraries load at start and REA never uses: zod's error texts in fifty languages (ours are English), and the
// validator the protocol library would check a client's forms with (REA asks clients for none and passes its own); and the
// width of emoji and wide characters, which help texts do not have.
const withoutUnused = {
  name: "without-unused",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
    builder.onLoad({ filter: /[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: "export class AjvJsonSchemaValidator {}",
    }));
    builder.onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, () => ({
      contents: "export default (text) => text.length;",
    }));
  },
};

async function compile({ app, main, engine }) {
  const { dependencies = {}, version } = readManifest(app);
  const options = {
    absWorkingDir: root,
    outdir: join(root, app, "dist"),
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@rea/source"],
    // Runtime dependencies carry WebAssembly beside their code and stay packages of their own.
    external: Object.keys(dependencies),
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    define: {
      "process.env.REA_PACKAGE_VERSION": JSON.stringify(version),
      "process.env.REA_ENGINE_BUILD": JSON.stringify(engine),
    },
    // Bundled CommonJS asks for node: modules through `require`, which an ES module does not have.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    plugins: [withoutUnused],
    logLevel: "warning",
  };
  const deferred = new Map();
  const starts = await compileStarts(options, main, deferred);
  const rest = await compileDeferred(options, deferred);
  return new Map([...starts, ...rest].map((file) => [basename(file.path), file.contents]));
}

/**
 * What is loaded at once: main and the files it imports dynamically by the name `serve`, each a bundle of its own with
 * nothing in it that it does not use. Code splitting would share whole packages between them and the rest. Every other
 * dynamic import is left to the deferred bundles and collected in `deferred`.
 */
async function compileStarts(options, main, deferred) {
  const entryPoints = { app: main };
  const serve = join(dirname(main), "serve.ts");
  if (existsSync(serve)) entryPoints["serve"] = serve;
  const deferDynamicImports = {
    name: "defer-dynamic-imports",
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === "resolving" || path.startsWith("node:")) return undefined;
        const resolved = await builder.resolve(path, { kind, importer, resolveDir, pluginData: "resolving" });
        if (resolved.external || resolved.errors.length > 0) return resolved;
        const name = path.startsWith("@rea/") ? path.slice("@rea/".length) : basename(path, ".js");
        if (resolved.path !== serve) deferred.set(name, resolved.path);
        return { path: `./${name}.js`, external: true };
      });
    },
  };
  const { outputFiles } = await build({ ...options, entryPoints, plugins: [deferDynamicImports, withoutUnused] });
  return outputFiles;
}

// What everything deferred begins with, in pieces that each take a server a moment only.
const steps = ["packages/core/src/operations/direct.ts", "packages/core/src/operations/index.ts", "packages/core/src/index.ts"];

/**
 * What is loaded when it is needed, and the workers: one script each, as scripts can start from kept machine code and
 * modules cannot. A deferred module is a few lines that take its exports out of the script.
 */
async function compileDeferred(options, deferred) {
  const exportsOf = await exportNames(options, deferred);
  const modules = [...deferred].map(([name, path]) => `${JSON.stringify(name)}: () => require(${JSON.stringify(path)})`);
  const first = steps.map((path) => `() => require(${JSON.stringify(join(root, path))})`);
  const rest = await compileScript(options, "rest", `exports.steps = [${first.join(",")}]; exports.modules = {${modules.join(",")}};`);
  const shims = [...deferred.keys()].map((name) => [
    `${name}.js`,
    `import{loadInSteps}from"./load.js";const __rest=await loadInSteps("rest");export const{${exportsOf.get(name).join(",")}}=__rest.modules[${JSON.stringify(name)}]();\n`,
  ]);
  // A worker reads a few small messages: to write code for each schema would take longer than it saves.
  const plainSchemas = "Object.assign(globalThis,{__zod_globalConfig:{jitless:true}});";
  const threads = [];
  for (const [name, source] of Object.entries(workers)) {
    threads.push(await compileScript(options, name, `${plainSchemas}require(${JSON.stringify(join(root, source))});`));
  }
  const files = [
    ...shims,
    ...Object.keys(workers).map((name) => [`${name}.js`, `import{load}from"./load.js";load("${name}");\n`]),
    ["load.js", readFileSync(new URL("./code-loader.mjs", import.meta.url))],
  ];
  return [rest, ...threads, ...files.map(([path, contents]) => ({ path, contents: Buffer.from(contents) }))];
}

async function exportNames(options, deferred) {
  const { metafile } = await build({ ...options, entryPoints: Object.fromEntries(deferred), bundle: false, external: undefined, metafile: true, plugins: [] });
  return new Map(Object.entries(metafile.outputs).map(([path, { exports }]) => [basename(path, ".js"), exports]));
}

async function compileScript(options, name, contents) {
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: root },
    outdir: undefined,
    outfile: join(options.outdir, `${name}.script.js`),
    format: "cjs",
    banner: {},
    charset: "ascii",
    // The loader hands the address of the file in.
    define: { ...options.define, "import.meta.url": "__fileUrl" },
  });
  return outputFiles[0];
}

/** Files of the carried directories by their paths in the build; what interpreters left there is no source. */
function carriedFiles() {
  return Object.entries(carried).flatMap(([name, directory]) => {
    const place = join(root, directory);
    if (!existsSync(place)) return [];
    const paths = readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:java|py)$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
    return paths.map((path) => [`${name}/${relative(place, path).replaceAll("\\", "/")}`, readFileSync(path)]);
  });
}

/** Writes the files under a directory named by their content, complete or not at all; returns its name. */
function writeBuild(dist, files) {
  const id = contentId(files);
  const target = join(dist, id);
  if (existsSync(target)) {
    const now = new Date();
    utimesSync(target, now, now);
    return id;
  }
  const temporary = join(dist, `.${id}-${randomUUID()}`);
  mkdirSync(temporary, { recursive: true });
  for (const [name, contents] of files) {
    mkdirSync(dirname(join(temporary, name)), { recursive: true });
    writeFileSync(join(temporary, name), contents);
  }
  try {
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another build of the same content got there first.
    if (!existsSync(target)) throw error;
  }
  return id;
}

function contentId(files) {
  const hash = createHash("sha256");
  for (const [name, contents] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\0${contents.length}\0`).update(contents);
  }
  return `build-${hash.digest("hex").slice(0, 16)}`;
}

// Old syntax only: an old Node must get as far as the version check.
function launcher(id) {
  return `#!/usr/bin/env node
var have = process.versions.node.split(".").map(Number);
if (have[0] < 20 || (have[0] === 20 && have[1] < 19)) {
  process.stderr.write("rea needs Node 20.19 or newer; this is Node " + process.versions.node + "\\n");
  process.exitCode = 1;
} else {
  import("./${id}/app.js");
}
`;
}

function writeAtomically(file, text, mode) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, text);
  chmodSync(temporary, mode);
  renameSync(temporary, file);
}

function removeOldBuilds(dist, { keep, olderThanMs }) {
  for (const name of readdirSync(dist)) {
    if (name === keep || !/^\.?build-/.test(name)) continue;
    const stat = statSync(join(dist, name), { throwIfNoEntry: false });
    if (!stat || Date.now() - stat.mtimeMs < olderThanMs) continue;
    rmSync(join(dist, name), { recursive: true, force: true });
    rmSync(join(dist, "code", name), { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await bundleApps({ clean: process.argv.includes("--clean") });
  } catch (error) {
    say(error.message);
    process.exitCode = 1;
  }
}
