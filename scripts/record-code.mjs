// Stands in for load.js while a fresh build runs for the first time, and keeps the machine code that the run compiled: what
// was used is what the next run will use.
import { mkdirSync, writeFileSync } from "node:fs";
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
  parentPort.postMessage = (message) => {
    if (message.kind === "answer") keep(name, script);
    post(message);
  };
}

function keep(name, script) {
  const file = codeFile(name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, script.createCachedData());
}
