// Stands in for load.js while a fresh build runs for the first time, and keeps the machine code that the run compiled: what
// was used is what the next run will use.
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isMainThread, parentPort } from "node:worker_threads";
import { codeFile, load as loadScript, loadInSteps as loadScriptInSteps } from "./code-loader.mjs";

export function load(name) {
  return loadScript(name, keepAtTheEnd);
}

export function loadInSteps(name) {
  return loadScriptInSteps(name, keepAtTheEnd);
}

function keepAtTheEnd(name, script) {
  if (isMainThread) {
    process.on("exit", () => keep(name, script));
    return;
  }
  // A worker is ended from outside, so it keeps its code before each answer.
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message, transferred) => {
    if (answers.has(message.kind)) keep(name, script);
    post(message, transferred);
  };
}

/** Of the engine, and of the threads that read archives. */
const answers = new Set(["answer", "digest", "files", "slices", "tar"]);

function keep(name, script) {
  const file = codeFile(name);
  mkdirSync(dirname(file), { recursive: true });
  // Several threads of one script may do this at once.
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, script.createCachedData());
  renameSync(temporary, file);
}
