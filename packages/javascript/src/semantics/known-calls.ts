/** What a call of a known function does. */
export type KnownCall =
  | { readonly does: "request"; readonly protocol: string; readonly effect: string }
  | { readonly does: "timer" | "cancel-timer"; readonly effect: "timer" }
  | { readonly does: "process"; readonly effect: string }
  | { readonly does: "acquire" | "release"; readonly resource: string; readonly effect: string }
  | { readonly does: "parse" | "coerce" | "validate"; readonly effect: null }
  | { readonly does: "read-config" | "read-environment" | "read-argv"; readonly effect: string }
  | { readonly does: "send-message" | "register" | "remove" | "dispatch"; readonly effect: string }
  | { readonly does: "dynamic-code"; readonly effect: "dynamic-code" }
  | { readonly does: "effect"; readonly effect: string };

const timers = ["setTimeout", "setInterval", "setImmediate", "requestAnimationFrame", "requestIdleCallback", "queueMicrotask", "process.nextTick"];
const cancels = ["clearTimeout", "clearInterval", "clearImmediate", "cancelAnimationFrame", "cancelIdleCallback"];
const parses = ["JSON.parse", "URL", "URLSearchParams", "querystring:parse", "url:parse", "url:URL", "path:parse", "DOMParser", "Date.parse", "RegExp"];
const coerces = ["Number", "String", "Boolean", "BigInt", "parseInt", "parseFloat", "Number.parseInt", "Number.parseFloat", "JSON.stringify", "Array.from", "Buffer.from", "encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI"];
const validates = ["Array.isArray", "Number.isInteger", "Number.isFinite", "Number.isSafeInteger", "Number.isNaN", "isNaN", "isFinite", "Object.hasOwn", "Buffer.isBuffer", "path:isAbsolute", "assert:", "assert:ok", "assert:equal", "assert:strictEqual"];
const observers = ["MutationObserver", "IntersectionObserver", "ResizeObserver", "PerformanceObserver", "BroadcastChannel", "MessageChannel"];

const table = new Map<string, KnownCall>([
  ...timers.map((name): [string, KnownCall] => [name, { does: "timer", effect: "timer" }]),
  ...["setTimeout", "setInterval", "setImmediate"].map((name): [string, KnownCall] => [`timers:${name}`, { does: "timer", effect: "timer" }]),
  ...cancels.map((name): [string, KnownCall] => [name, { does: "cancel-timer", effect: "timer" }]),
  ...parses.map((name): [string, KnownCall] => [name, { does: "parse", effect: null }]),
  ...coerces.map((name): [string, KnownCall] => [name, { does: "coerce", effect: null }]),
  ...validates.map((name): [string, KnownCall] => [name, { does: "validate", effect: null }]),
  ...observers.map((name): [string, KnownCall] => [name, { does: "acquire", resource: name, effect: "dom" }]),
  ["fetch", { does: "request", protocol: "http", effect: "network" }],
  ["WebSocket", { does: "request", protocol: "websocket", effect: "network" }],
  ["EventSource", { does: "request", protocol: "event-stream", effect: "network" }],
  ["XMLHttpRequest", { does: "request", protocol: "http", effect: "network" }],
  ["navigator.sendBeacon", { does: "request", protocol: "http", effect: "network" }],
  ["URL.createObjectURL", { does: "acquire", resource: "object-url", effect: "dom" }],
  ["URL.revokeObjectURL", { does: "release", resource: "object-url", effect: "dom" }],
  ["indexedDB.open", { does: "acquire", resource: "database", effect: "storage" }],
  ["localStorage.getItem", { does: "read-config", effect: "storage" }],
  ["sessionStorage.getItem", { does: "read-config", effect: "storage" }],
  ["localStorage.setItem", { does: "effect", effect: "storage" }],
  ["sessionStorage.setItem", { does: "effect", effect: "storage" }],
  ["eval", { does: "dynamic-code", effect: "dynamic-code" }],
  ["Function", { does: "dynamic-code", effect: "dynamic-code" }],
  ["Worker", { does: "process", effect: "worker" }],
  ["SharedWorker", { does: "process", effect: "worker" }],
  ["worker_threads:Worker", { does: "process", effect: "worker" }],
  ["cluster:fork", { does: "process", effect: "process" }],
  ["electron:utilityProcess.fork", { does: "process", effect: "process" }],
  ["electron:app.getPath", { does: "read-config", effect: "system" }],
  ["electron:ipcRenderer.send", { does: "send-message", effect: "ipc" }],
  ["electron:ipcRenderer.sendSync", { does: "send-message", effect: "ipc" }],
  ["electron:ipcRenderer.invoke", { does: "send-message", effect: "ipc" }],
  ["electron:ipcRenderer.postMessage", { does: "send-message", effect: "ipc" }],
  ["electron:ipcMain.handle", { does: "register", effect: "ipc" }],
  ["electron:ipcMain.handleOnce", { does: "register", effect: "ipc" }],
  ["electron:ipcMain.on", { does: "register", effect: "ipc" }],
  ["electron:ipcMain.once", { does: "register", effect: "ipc" }],
  ["electron:ipcMain.removeHandler", { does: "remove", effect: "ipc" }],
  ["electron:net.request", { does: "request", protocol: "http", effect: "network" }],
  ["electron:net.fetch", { does: "request", protocol: "http", effect: "network" }],
  ["electron:BrowserWindow", { does: "acquire", resource: "window", effect: "window" }],
  ["electron:shell.openExternal", { does: "effect", effect: "process" }],
  ["electron:shell.openPath", { does: "effect", effect: "process" }],
  ["process.send", { does: "send-message", effect: "ipc" }],
  ["postMessage", { does: "send-message", effect: "ipc" }],
  ["process.exit", { does: "effect", effect: "process" }],
  ["dotenv:config", { does: "read-environment", effect: "environment" }],
  ["yargs:", { does: "read-argv", effect: "environment" }],
  ["minimist:", { does: "read-argv", effect: "environment" }],
  ["config:get", { does: "read-config", effect: "configuration" }],
]);

const spawners: ReadonlySet<string> = new Set(["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]);
const requesters: ReadonlySet<string> = new Set(["axios", "got", "node-fetch", "undici", "superagent", "request", "request-promise", "ky", "cross-fetch", "needle", "phin"]);
const openers: ReadonlySet<string> = new Set(["open", "openSync", "createReadStream", "createWriteStream", "watch", "watchFile", "promises.open", "opendir"]);
const listeners: ReadonlySet<string> = new Set(["createServer", "connect", "createConnection", "createSocket", "Server", "Socket"]);
const effectsOfModules = new Map([
  ["fs", "filesystem"], ["fs/promises", "filesystem"], ["graceful-fs", "filesystem"], ["fs-extra", "filesystem"], ["original-fs", "filesystem"], ["child_process", "process"],
  ["net", "network"], ["tls", "network"], ["dgram", "network"], ["dns", "network"], ["http", "network"], ["https", "network"], ["http2", "network"], ["crypto", "crypto"], ["os", "system"],
  ["worker_threads", "worker"], ["electron", "electron"], ["vm", "dynamic-code"], ["zlib", "compression"],
]);
const effectsOfGlobals = new Map([["document", "dom"], ["window", "dom"], ["localStorage", "storage"], ["sessionStorage", "storage"], ["indexedDB", "storage"], ["caches", "storage"], ["console", "log"], ["crypto", "crypto"], ["navigator", "dom"], ["history", "dom"], ["location", "dom"]]);

/** What is known of a function by where it comes from; undefined when nothing is. */
export function knownCall(module: string | null, path: readonly string[]): KnownCall | undefined {
  const name = path.join(".");
  if (module === null) {
    const found = table.get(name);
    if (found !== undefined) return found;
    const effect = effectsOfGlobals.get(path[0] ?? "");
    return effect === undefined ? undefined : { does: "effect", effect };
  }
  const plain = module.startsWith("node:") ? module.slice(5) : module.replace(/^electron\/(?:main|renderer|common|utility)$/u, "electron");
  return table.get(`${plain}:${name}`) ?? ofModule(plain, path);
}

function ofModule(module: string, path: readonly string[]): KnownCall | undefined {
  const [first = ""] = path;
  const request = requestOf(module, first);
  if (request !== undefined) return { does: "request", protocol: request, effect: "network" };
  if ((module === "child_process" && spawners.has(first)) || module === "execa" || module === "cross-spawn") return { does: "process", effect: "process" };
  const effect = effectsOfModules.get(module);
  if (effect === undefined) return undefined;
  if (effect === "filesystem" && openers.has(path.join("."))) return { does: "acquire", resource: "file", effect };
  if (effect === "filesystem" && closers.has(first)) return { does: "release", resource: "file", effect };
  if (effect === "network" && listeners.has(first)) return { does: "acquire", resource: "socket", effect };
  return { does: "effect", effect };
}

const closers: ReadonlySet<string> = new Set(["close", "closeSync", "unwatchFile"]);

/** The protocol of modules that send requests. */
function requestOf(module: string, first: string): string | undefined {
  if (requesters.has(module)) return "http";
  if ((module === "http" || module === "https") && (first === "request" || first === "get")) return "http";
  return module === "ws" && (first === "" || first === "WebSocket") ? "websocket" : undefined;
}

export type MethodRole = "register" | "remove" | "dispatch" | "send-message" | "chain" | "release" | "read-config";

const methods = new Map<string, MethodRole>([
  ...["addEventListener", "on", "once", "addListener", "prependListener", "subscribe", "handle", "handleOnce"].map((name): [string, MethodRole] => [name, "register"]),
  ...["removeEventListener", "off", "removeListener", "removeAllListeners", "unsubscribe", "removeHandler"].map((name): [string, MethodRole] => [name, "remove"]),
  ...["emit", "dispatchEvent", "dispatch", "trigger"].map((name): [string, MethodRole] => [name, "dispatch"]),
  ...["postMessage", "sendToFrame"].map((name): [string, MethodRole] => [name, "send-message"]),
  ...["then", "catch", "finally"].map((name): [string, MethodRole] => [name, "chain"]),
  ...["close", "destroy", "disconnect", "dispose", "terminate", "kill", "end", "abort", "release", "unwatch"].map((name): [string, MethodRole] => [name, "release"]),
]);

/** What a method's name alone suggests. */
export function methodRole(name: string): MethodRole | undefined {
  return methods.get(name);
}
