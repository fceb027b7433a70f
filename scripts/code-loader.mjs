// Copied into every build as load.js: runs a bundled script with the machine code an earlier run compiled, where it fits this
// Node; without it the script is compiled as usual. Loading modules is most of what a short command does.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, Script } from "node:vm";

const directory = dirname(fileURLToPath(import.meta.url));
const loaded = new Map();

/** Where compiled code of this build lies: beside the builds, so that it is never packed. */
export function codeFile(name) {
  return join(dirname(directory), "code", basename(directory), `${name}-${process.version}-${process.arch}`);
}

/** The exports of a bundled script, which runs once in a thread. `onLoad` is told of the script that ran. */
export function load(name, onLoad) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const file = join(directory, `${name}.script.js`);
  const script = compile(name, file);
  script.runInThisContext()(module.exports, createRequire(import.meta.url), module, file, import.meta.url);
  onLoad?.(name, script);
  return module.exports;
}

/** `load` in pieces with time for everything else between them: a server answers while it loads what it will need. */
export async function loadInSteps(name, onLoad) {
  let exports = stepped.get(name);
  if (!exports) {
    exports = runSteps(name, onLoad);
    stepped.set(name, exports);
  }
  await exports;
  await turn();
  return exports;
}

const stepped = new Map();

async function runSteps(name, onLoad) {
  await turn();
  const exports = load(name, onLoad);
  for (const step of exports.steps ?? []) {
    await turn();
    step();
  }
  return exports;
}

let lastTurn = Promise.resolve();

/** One turn of the event loop for each caller, however many wait: two in one turn would make one long piece again. */
function turn() {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

function compile(name, filename) {
  // The bundler writes ASCII, which is read fastest as one byte for each character.
  const source = readFileSync(filename, "latin1");
  return new Script(`(function(exports,require,module,__filename,__fileUrl){${source}\n})`, {
    filename,
    cachedData: readCode(name),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

function readCode(name) {
  try {
    return readFileSync(codeFile(name));
  } catch {
    // Built by another Node, or not compiled yet.
    return undefined;
  }
}
