// The manifests, the TypeScript project references and the layers tell the same story.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { development, layers } from "./layers.mjs";
import { memberDirectories, readManifest, root } from "./workspace.mjs";

const members = memberDirectories();
const readJson = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));
const internal = (dependencies = {}) => Object.keys(dependencies).filter((name) => name.startsWith("@rea/"));
const directoryOf = new Map(members.map((member) => [readManifest(member).name, member]));

test("every member is built, and has a layer", () => {
  const built = readJson("tsconfig.build.json").references.map(({ path }) => path);
  expect([...built].sort()).toEqual([...members].sort());
  expect(members.filter((member) => ![...layers.flat(), ...development].includes(member))).toEqual([]);
});

test.each(members)("%s references exactly the packages its manifest names", (member) => {
  const { dependencies, devDependencies } = readManifest(member);
  const isApp = member.startsWith("apps/");
  // Test support is a devDependency of libraries; the tests are a project of their own.
  const named = [...internal(dependencies), ...(isApp ? internal(devDependencies) : [])].map((name) => directoryOf.get(name));
  const references = (readJson(`${member}/tsconfig.json`).references ?? []).map(({ path }) =>
    join(member, path).replaceAll("\\", "/"),
  );
  expect(references.sort()).toEqual(named.filter((directory) => directory !== "packages/testkit" || !isApp).sort());
});

test("the packages that depend on each other form no cycle", () => {
  const visit = (member, path) => {
    expect(path, `cycle: ${[...path, member].join(" → ")}`).not.toContain(member);
    const { dependencies, devDependencies } = readManifest(member);
    for (const name of [...internal(dependencies), ...internal(devDependencies)]) {
      visit(directoryOf.get(name), [...path, member]);
    }
  };
  for (const member of members) visit(member, []);
});

test("the lockfile names no registry", () => {
  expect(readFileSync(join(root, "pnpm-lock.yaml"), "utf8")).not.toMatch(/https?:\/\//);
});
