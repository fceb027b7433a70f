import { deepOperationNames } from "@rea/core";
import { testProvider } from "@rea/testkit";
import { afterAll, describe } from "vitest";
import { isGhidraOperation } from "../src/ghidra-capabilities.js";
import { GhidraBench } from "./ghidra-bench.js";
import { standInAbsent } from "./stub-installation.js";
import { smallProgram } from "./stub-program.js";

describe.skipIf(standInAbsent !== undefined)("on the stand-in", () => {
  const bench = new GhidraBench();
  afterAll(() => bench.close());

  testProvider({
    provider: bench.provider,
    fixtures: [{ name: "a small program", target: () => bench.target(smallProgram()), absent: standInAbsent }],
    without: deepOperationNames.filter((name) => !isGhidraOperation(name)),
  });
});
