import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * An application directory whose `electron` module behaves like the one of Electron in what the hook touches: events of `app`,
 * windows with contents and sessions, messages between page and main process, `shell`, `protocol`. Its windows are tabs of a real
 * Chromium that it starts with the switches it was given, so the renderer side speaks the real protocol. Effects that must not
 * happen leave a file behind.
 */
export function writeStubApplication(directory: string, browser: string, main: string): string {
  mkdirSync(join(directory, "node_modules", "electron"), { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ name: "stub-application", version: "1.0.0", main: "main.js" }));
  writeFileSync(join(directory, "node_modules", "electron", "index.js"), stub(browser));
  writeFileSync(join(directory, "main.js"), main);
  writeFileSync(join(directory, "index.html"), page);
  return directory;
}

const page = `<!doctype html><title>Stub</title><button id="send">Send</button><p id="said"></p>
<script>
  const port = new URLSearchParams(location.search).get("port");
  document.querySelector("#send").addEventListener("click", async () => {
    const answer = await fetch("http://127.0.0.1:" + port + "/save-note", { method: "POST", body: JSON.stringify(["classified-value", { title: "classified-title", count: 3 }]) });
    document.querySelector("#said").textContent = await answer.text();
  });
</script>`;

function stub(browser: string): string {
  return `"use strict";
const { EventEmitter } = require("node:events");
const { spawn } = require("node:child_process");
const { createServer } = require("node:http");
const fs = require("node:fs");
const path = require("node:path");
const root = path.join(__dirname, "..", "..");
const happened = (name) => fs.writeFileSync(path.join(root, "happened-" + name), "");

const app = new EventEmitter();
app.quit = () => process.exit(0);
app.setAsDefaultProtocolClient = () => happened("protocol-client");
app.requestSingleInstanceLock = () => true;
app.whenReady = () => new Promise((resolve) => app.once("ready", resolve));

const session = new EventEmitter();
session.setPermissionRequestHandler = (handler) => (session.asks = handler);
session.protocol = { handle: () => undefined };

class WebContents extends EventEmitter {
  constructor(id) {
    super();
    this.id = id;
    this.session = session;
    this.url = "";
  }
  getURL() { return this.url; }
  send() {}
  setWindowOpenHandler(handler) { this.opens = handler; }
}

let contents = 0;
class BrowserWindow extends EventEmitter {
  constructor() {
    super();
    this.webContents = new WebContents(++contents);
    app.emit("web-contents-created", {}, this.webContents);
    app.emit("browser-window-created", {}, this);
  }
  async loadFile(file) {
    const port = await bridge(this.webContents);
    this.webContents.url = "file://" + file + "?port=" + port;
    const switches = process.argv.filter((each) => /^--(remote-debugging-port|user-data-dir)=/.test(each));
    spawn(${JSON.stringify(browser)}, [...switches, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-web-security", "--disable-background-networking", this.webContents.url], { stdio: "ignore" });
    this.webContents.emit("did-start-navigation", {}, { url: this.webContents.url });
    this.webContents.emit("did-navigate", {}, this.webContents.url);
  }
}

const ipcMain = new EventEmitter();
const handlers = new Map();
ipcMain.handle = (channel, handler) => handlers.set(channel, handler);

function bridge(sender) {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => (body += part));
      request.on("end", async () => {
        const channel = request.url.slice(1);
        const answer = await handlers.get(channel)({ sender }, ...JSON.parse(body));
        response.writeHead(200, { "access-control-allow-origin": "*" }).end(String(answer));
      });
    }).listen(0, "127.0.0.1", () => resolve(server.address().port));
  });
}

setTimeout(() => app.emit("ready"), 0);
module.exports = {
  app,
  BrowserWindow,
  ipcMain,
  session: { defaultSession: session },
  protocol: { registerSchemesAsPrivileged: () => undefined },
  shell: { openExternal: () => (happened("open-external"), Promise.resolve()), openPath: () => (happened("open-path"), Promise.resolve("")) },
  stubSession: session,
};
`;
}
