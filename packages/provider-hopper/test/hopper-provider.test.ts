import { deepOperationNames } from "@rea/core";
import { testProvider } from "@rea/testkit";
import { sampleProgram, standInAbsent, standInProvider, targetOf } from "./stand-in.js";

const provider = standInProvider();
const declared: readonly string[] = provider.capabilities().map(({ operation }) => operation);

testProvider({
  provider,
  without: deepOperationNames.filter((name) => !declared.includes(name)),
  fixtures: [{ name: "a small program in the stand-in of Hopper", target: () => targetOf(sampleProgram()), absent: standInAbsent }],
});
