/**
 * What runs in the main process of an Electron application before its own code: it records what the application does, and keeps
 * effects outside of it from happening. A CommonJS module; beside it lies `hook.json` with its bounds, and it appends a line of
 * JSON for each event to `events.jsonl`, at once, so that a crash loses nothing. Values of messages are never written.
 */
export const mainHook = String.raw`"use strict";
const fs = require("fs");
const path = require("path");
const Module = require("module");
const here = __dirname;
const bounds = JSON.parse(fs.readFileSync(path.join(here, "hook.json"), "utf8"));
const out = fs.openSync(path.join(here, "events.jsonl"), "a", 0o600);
const kept = { runtime: 0, ipc: 0 };
const dropped = { runtime: 0, ipc: 0 };
const cut = (value, most) => (typeof value === "string" ? value.slice(0, most) : null);

function record(kind, event, facts) {
  const pool = kind === "ipc" ? "ipc" : "runtime";
  if (kept[pool] >= bounds[pool]) {
    dropped[pool] += 1;
    return;
  }
  kept[pool] += 1;
  try {
    fs.writeSync(out, JSON.stringify({ at: Date.now(), kind, event, ...facts }) + "\n");
  } catch {}
}

function shapeOf(value, depth = 0) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array(" + value.length + ")";
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return "bytes(" + value.byteLength + ")";
  if (typeof value !== "object") return typeof value;
  if (depth > 0) return "object";
  const keys = Object.keys(value).sort();
  const shown = keys.slice(0, 16).map((key) => cut(key, 64) + ":" + shapeOf(value[key], 1));
  return "object{" + shown.join(",") + (keys.length > 16 ? ",…" : "") + "}";
}
const shapes = (args) => args.slice(0, 32).map((value) => shapeOf(value));
const idOf = (contents) => (contents && Number.isSafeInteger(contents.id) && contents.id >= 0 ? contents.id : null);
const urlOf = (contents) => {
  try {
    return contents && contents.getURL ? cut(contents.getURL(), 4096) : null;
  } catch {
    return null;
  }
};

/** Puts "make(original)" in the place of a method; says so when that cannot be done. */
function replace(owner, name, make) {
  if (!owner || typeof owner[name] !== "function") return;
  const original = owner[name];
  const made = make(original);
  try {
    owner[name] = made;
  } catch {}
  if (owner[name] === made) return;
  try {
    Object.defineProperty(owner, name, { value: made, configurable: true, writable: true });
  } catch {
    record("hook", "conflict", { name });
  }
}

function block(owner, kind, name, describe, answer) {
  replace(owner, name, () => function (...args) {
    record(kind, name, { blocked: true, ...describe(...args) });
    return answer();
  });
}

function tell(owner, kind, name, describe) {
  replace(owner, name, (original) => function (...args) {
    record(kind, name, describe(...args));
    return original.apply(this, args);
  });
}

function hear(emitter, kind, events, describe) {
  if (!emitter || typeof emitter.on !== "function") return;
  for (const event of events) emitter.on(event, (...args) => record(kind, event, describe ? describe(event, ...args) : {}));
}

function hookShell(shell) {
  const url = (given) => ({ url: cut(given, 4096) });
  const file = (given) => ({ name: typeof given === "string" ? cut(path.basename(given), 256) : null });
  block(shell, "shell", "openExternal", url, () => Promise.resolve());
  block(shell, "shell", "openPath", file, () => Promise.resolve(""));
  block(shell, "shell", "trashItem", file, () => Promise.resolve());
  block(shell, "shell", "showItemInFolder", file, () => undefined);
  block(shell, "shell", "writeShortcutLink", file, () => true);
}

function hookApp(app) {
  hear(app, "app", ["will-finish-launching", "ready", "activate", "before-quit", "will-quit", "quit", "window-all-closed", "open-file", "continue-activity", "child-process-gone", "gpu-info-update"]);
  hear(app, "app", ["open-url"], (_event, _e, url) => ({ url: cut(url, 4096) }));
  hear(app, "app", ["second-instance"], () => ({}));
  hear(app, "contents", ["render-process-gone"], (_event, _e, contents, details) => ({ contents: idOf(contents), reason: details && cut(details.reason, 64) }));
  block(app, "app", "setAsDefaultProtocolClient", (scheme) => ({ name: cut(scheme, 256) }), () => true);
  block(app, "app", "removeAsDefaultProtocolClient", (scheme) => ({ name: cut(scheme, 256) }), () => true);
  block(app, "app", "setLoginItemSettings", () => ({}), () => undefined);
  block(app, "app", "relaunch", () => ({}), () => undefined);
  tell(app, "app", "requestSingleInstanceLock", () => ({}));
  app.on("browser-window-created", (_event, window) => {
    record("window", "created", { contents: idOf(window && window.webContents) });
    hear(window, "window", ["closed", "show", "hide", "minimize", "maximize", "unresponsive", "responsive"]);
  });
  app.on("web-contents-created", (_event, contents) => hookContents(contents));
  app.on("session-created", (session) => hookSession(session));
}

function hookContents(contents) {
  const of = { contents: idOf(contents) };
  record("contents", "created", of);
  hear(contents, "contents", ["destroyed", "crashed", "dom-ready", "did-finish-load", "unresponsive", "responsive", "preload-error"], () => of);
  hear(contents, "navigation", ["did-start-navigation", "will-navigate", "did-navigate", "did-navigate-in-page", "will-redirect"], (_event, first, second) => ({
    ...of,
    url: cut(typeof second === "string" ? second : first && first.url, 4096),
  }));
  hear(contents, "navigation", ["did-fail-load"], (_event, _e, _code, description, url) => ({ ...of, url: cut(url, 4096), reason: cut(description, 256) }));
  hear(contents, "popup", ["did-create-window"], (_event, _window, details) => ({ ...of, url: details && cut(details.url, 4096) }));
  replace(contents, "setWindowOpenHandler", (original) => function (handler) {
    return original.call(this, (details) => {
      const answer = handler(details);
      record("popup", "window-open", { ...of, url: cut(details && details.url, 4096), reason: answer ? cut(answer.action, 64) : null });
      return answer;
    });
  });
  tell(contents, "ipc", "send", (channel, ...args) => ({ ...of, name: cut(channel, 1024), direction: "to_renderer", argument_shapes: shapes(args) }));
  if (contents && contents.session) hookSession(contents.session);
}

const sessions = new WeakSet();
function hookSession(session) {
  if (!session || sessions.has(session)) return;
  sessions.add(session);
  record("session", "used", {});
  if (typeof session.on === "function") {
    session.on("will-download", (event, item) => {
      record("download", "will-download", { blocked: true, url: item && item.getURL ? cut(item.getURL(), 4096) : null, name: item && item.getFilename ? cut(item.getFilename(), 256) : null });
      if (event && event.preventDefault) event.preventDefault();
    });
  }
  replace(session, "setPermissionRequestHandler", (original) => function (handler) {
    record("permission", "handler-set", {});
    if (typeof handler !== "function") return original.call(this, handler);
    return original.call(this, (contents, permission, callback, details) => {
      handler(contents, permission, (granted) => {
        record("permission", "request", { contents: idOf(contents), name: cut(permission, 256), reason: granted ? "granted" : "denied" });
        callback(granted);
      }, details);
    });
  });
  hookProtocol(session.protocol);
}

const protocols = new WeakSet();
function hookProtocol(protocol) {
  if (!protocol || protocols.has(protocol)) return;
  protocols.add(protocol);
  for (const name of ["handle", "registerFileProtocol", "registerBufferProtocol", "registerStringProtocol", "registerHttpProtocol", "registerStreamProtocol", "interceptFileProtocol", "interceptHttpProtocol"]) {
    tell(protocol, "protocol", name, (scheme) => ({ name: cut(scheme, 256) }));
  }
  tell(protocol, "protocol", "registerSchemesAsPrivileged", (schemes) => ({ name: Array.isArray(schemes) ? cut(schemes.map((each) => each && each.scheme).join(","), 1024) : null }));
}

function hookIpc(ipc) {
  const heard = (channel, args) => {
    const [event, ...values] = args;
    record("ipc", "message", { contents: idOf(event && event.sender), url: urlOf(event && event.sender), name: cut(channel, 1024), direction: "to_main", argument_shapes: shapes(values) });
  };
  for (const name of ["on", "once", "addListener", "handle", "handleOnce"]) {
    replace(ipc, name, (original) => function (channel, listener) {
      record("ipc", name, { name: cut(channel, 1024), direction: "registered", argument_shapes: [] });
      if (typeof listener !== "function") return original.apply(this, arguments);
      const wrapped = function (...args) {
        heard(channel, args);
        return listener.apply(this, args);
      };
      if (!wrappers.has(listener)) wrappers.set(listener, new Map());
      wrappers.get(listener).set(channel, wrapped);
      return original.call(this, channel, wrapped);
    });
  }
  for (const name of ["removeListener", "off"]) {
    replace(ipc, name, (original) => function (channel, listener) {
      return original.call(this, channel, wrappers.get(listener)?.get(channel) || listener);
    });
  }
}
const wrappers = new WeakMap();

function hookProcesses() {
  const children = require("child_process");
  const program = (file) => ({ name: typeof file === "string" ? cut(path.basename(file.split(" ")[0] || ""), 256) : null });
  for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]) tell(children, "process", name, program);
  replace(process, "dlopen", (original) => function (module, file, ...rest) {
    record("native_addon", "load", { name: typeof file === "string" ? cut(path.basename(file), 256) : null });
    return original.call(this, module, file, ...rest);
  });
}

let electron = null;
function hookElectron(loaded) {
  if (electron !== null || !loaded || typeof loaded !== "object" || !loaded.app) return;
  electron = loaded;
  const part = (name, hook) => {
    try {
      if (loaded[name]) hook(loaded[name]);
    } catch {
      record("hook", "conflict", { name });
    }
  };
  part("app", hookApp);
  part("shell", hookShell);
  part("ipcMain", hookIpc);
  part("protocol", hookProtocol);
  part("utilityProcess", (utility) => tell(utility, "process", "utility-fork", (file) => ({ name: typeof file === "string" ? cut(path.basename(file), 256) : null })));
  part("autoUpdater", (updater) => {
    for (const name of ["checkForUpdates", "quitAndInstall"]) block(updater, "app", "autoUpdater." + name, () => ({}), () => undefined);
  });
  record("hook", "attached", { name: null });
}

replace(Module, "_load", (original) => function (request, ...rest) {
  const loaded = original.call(this, request, ...rest);
  if (request === "electron" || request === "electron/main") hookElectron(loaded);
  return loaded;
});
hookProcesses();

globalThis[Symbol.for("rea.hook")] = {
  deepLink(mode, url) {
    if (!electron) return false;
    const event = { preventDefault() {}, defaultPrevented: false };
    if (mode === "open_url") return electron.app.emit("open-url", event, url);
    return electron.app.emit("second-instance", event, [process.execPath, url], process.cwd(), null);
  },
  state() {
    return { dropped, attached: electron !== null, versions: { electron: process.versions.electron || null, chrome: process.versions.chrome || null, node: process.versions.node || null } };
  },
  quit() {
    if (electron) electron.app.quit();
  },
};
record("hook", "loaded", {});
`;
