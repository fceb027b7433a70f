import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-trace-commands-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const application = join(place, "app");

beforeAll(() => {
  mkdirSync(application);
  writeFileSync(join(application, "package.json"), JSON.stringify({ name: "notes", main: "main.js", dependencies: { electron: "30.0.0" } }));
  writeFileSync(join(application, "main.js"), `const { ipcMain } = require("electron"); ipcMain.handle("save", (event, name) => fetch("https://a.example/" + name));`);
  writeFileSync(join(application, "preload.js"), `const { ipcRenderer } = require("electron"); exports.go = () => ipcRenderer.invoke("save", "notes.txt");`);
});

describe("rea trace-application-feature", () => {
  test("prints the paths from a channel to what it leads to, with places", async () => {
    const run = await runCli(["trace-application-feature", application, "channel", "save", "--direction", "outgoing"]);
    expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
    expect(run.stdout).toContain("channel save: 2 places");
    expect(run.stdout).toMatch(/ipc-handler save ─contains→ javascript-asset main\.js ─calls→ endpoint https:\/\/a\.example\//u);
    expect(run.stdout).toContain("main.js:1:");
  });

  test("takes a bundle that a command saved, by record or alone", async () => {
    const bundle = join(place, "saved.json");
    const saved = await runCli(["analyze-javascript-application", application, "--json", "--save-evidence", bundle]);
    const id = z.looseObject({ evidence_id: z.string() }).parse(JSON.parse(saved.stdout)).evidence_id;
    const runs = [await runCli(["trace-application-feature", bundle, "channel", "save", "--json"]), await runCli(["trace-application-feature", `${bundle}#${id}`, "channel", "save", "--json"])];
    const [one, other] = runs.map(({ stdout }) => z.looseObject({ evidence_id: z.string() }).parse(JSON.parse(stdout)).evidence_id);
    expect(one).toBe(other);
  });

  test("refuses what is no kind, no number and no application", async () => {
    for (const args of [["colour", "x"], ["channel", "x", "--limit", "many"], ["channel", ""]]) expect((await runCli(["trace-application-feature", application, ...args])).status).toBe(2);
    expect((await runCli(["trace-application-feature", join(place, "nothing"), "channel", "x"])).status).toBe(1);
  });
});

describe("rea trace-javascript-semantics", () => {
  test("prints where a text goes, one relation a line, and the next page by its cursor", async () => {
    const run = await runCli(["trace-javascript-semantics", application, "forward-influence", "string", "notes.txt"]);
    expect(run.stdout).toContain('literal "notes.txt" preload.js:1:');
    expect(run.stdout).toMatch(/argument-to-parameter parameter name main\.js/u);
    const first = await runCli(["trace-javascript-semantics", application, "forward-influence", "string", "notes.txt", "--page-size", "1"]);
    const cursor = /--cursor (\S+)/u.exec(first.stdout)?.[1] ?? "";
    const second = await runCli(["trace-javascript-semantics", application, "forward-influence", "string", "notes.txt", "--page-size", "1", "--cursor", cursor]);
    expect([second.status, second.stdout === first.stdout]).toEqual([0, false]);
    expect((await runCli(["trace-javascript-semantics", application, "callers", "string", "notes.txt", "--cursor", cursor])).status).toBe(1);
  });
});
