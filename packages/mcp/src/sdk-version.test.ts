import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sdkVersion } from "./sdk-version.js";

test("the stated version of the protocol library is the installed one", () => {
  const manifest = new URL("../node_modules/@modelcontextprotocol/sdk/package.json", import.meta.url);
  expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({ version: sdkVersion });
});
