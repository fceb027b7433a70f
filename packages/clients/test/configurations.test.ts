import { existsSync, statSync } from "node:fs";
import toml from "@iarna/toml";
import * as jsonc from "jsonc-parser";
import { z } from "@rea/core";
import { expect, test } from "vitest";
import { realConfigurations } from "./real-configurations.js";
import { bytesOf, configOf, emptyHome, hostIn, put, setUp, stateOf, uninstall } from "./support.js";

const tables = z.record(z.string(), z.unknown());

/** The servers of a configuration as another parser reads them. */
function serversOf(text: string, isToml: boolean): { readonly [name: string]: unknown } {
  const plain = text.replace(/^\uFEFF/, "");
  const errors: jsonc.ParseError[] = [];
  const data = tables.parse(isToml ? toml.parse(plain) : jsonc.parse(plain, errors, { allowTrailingComma: true }));
  expect(errors).toEqual([]);
  return tables.parse(data["mcpServers"] ?? data["mcp_servers"] ?? data["servers"] ?? data["mcp"] ?? {});
}

/** Every character of the text stands in the other, in order. */
function isSubsequence(text: string, other: string): boolean {
  let at = 0;
  for (const character of text.trim()) {
    at = other.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

test("there are more than fifty configurations", () => {
  expect(realConfigurations.length).toBeGreaterThanOrEqual(50);
  expect(new Set(realConfigurations.map(({ title }) => title)).size).toBe(realConfigurations.length);
});

for (const { title, client, text } of realConfigurations) {
  test(`${client}, ${title}: set up, unchanged the second time, and gone byte for byte`, () => {
    const host = hostIn(emptyHome());
    const path = configOf(client, host);
    put(path, text, 0o640);
    const isToml = client === "codex";
    const before = text.trim() === "" || text === "\uFEFF" ? {} : serversOf(text, isToml);

    expect(stateOf(setUp(host, [client]), client)).toBe("done");
    const written = bytesOf(path)?.toString("utf8") ?? "";
    const after = serversOf(written, isToml);
    expect(Object.keys(after).sort()).toEqual([...Object.keys(before), "rea"].sort());
    for (const [name, value] of Object.entries(before)) expect(after[name]).toEqual(value);
    expect(JSON.stringify(after["rea"])).toContain("/opt/rea/apps/cli/dist/main.js");
    expect(written.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
    if (text.includes("\r\n") && text.trim() !== "") expect(written.replaceAll("\r\n", "")).not.toContain("\n");
    if (text.trim() !== "") expect(written.endsWith("\n")).toBe(text.endsWith("\n"));
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(bytesOf(`${path}.rea.backup`)?.toString("utf8")).toBe(text);
    expect(isSubsequence(text, written), "something that was there is gone").toBe(true);

    const second = setUp(host, [client]);
    expect(stateOf(second, client)).toBe("unchanged");
    expect(bytesOf(path)?.toString("utf8")).toBe(written);

    expect(stateOf(uninstall(host), client)).toBe("done");
    expect(bytesOf(path)?.toString("utf8")).toBe(text);
    expect(existsSync(`${path}.rea.backup`)).toBe(true);
  });
}

for (const { title, client, text } of realConfigurations.filter((configuration) => configuration.text.trim().length > 4)) {
  test(`${client}, ${title}: what is removed without a backup is the entry alone`, () => {
    const host = hostIn(emptyHome());
    const path = configOf(client, host);
    put(path, text);
    setUp(host, [client]);
    put(`${path}.rea.backup`, "{ not a configuration");
    expect(stateOf(uninstall(host), client)).toBe("done");
    const left = bytesOf(path)?.toString("utf8") ?? "";
    expect(serversOf(left, client === "codex")["rea"]).toBeUndefined();
    expect(left.replace(/\s/g, "").replace(/"?(mcpServers|mcp_servers)"?[:=]\{\},?/, "").length).toBeLessThanOrEqual(text.replace(/\s/g, "").length);
  });
}

test("a file that setup made is gone after uninstall", () => {
  const host = hostIn(emptyHome());
  for (const client of ["claude_code", "codex", "cursor", "opencode", "vscode", "copilot_cli", "gemini_cli", "windsurf", "claude_desktop"] as const) {
    expect(stateOf(setUp(host, [client]), client)).toBe("done");
    const path = configOf(client, host);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(stateOf(setUp(host, [client]), client)).toBe("unchanged");
    expect(stateOf(uninstall(host), client)).toBe("done");
    expect(existsSync(path)).toBe(false);
  }
});
