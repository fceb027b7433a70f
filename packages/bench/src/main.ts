/** What can be measured by name, each loaded alone: a measured process loads nothing that it does not use. */
const commands: { readonly [name: string]: ((rest: readonly string[]) => Promise<string>) | undefined } = {
  "analyse-file": async (rest) => (await import("./engine/analyse-file.js")).analyseFile(rest),
  engine: async (rest) => {
    await (await import("./engine/run-engine-bench.js")).runEngineBench(rest);
    return "";
  },
  pseudocode: async (rest) => {
    if (rest[0] === "gotos") await (await import("./pseudocode/run-jumps-bench.js")).runJumpsBench(rest.slice(1));
    else if (rest[0] === "programs") await (await import("./pseudocode/programs/run-programs-bench.js")).runProgramsBench(rest.slice(1));
    else await (await import("./pseudocode/run-pseudocode-bench.js")).runPseudocodeBench(rest);
    return "";
  },
  clients: async ([part]) => {
    await (await import("./clients/run-clients-bench.js")).runClientsBench(part);
    return "";
  },
  capture: async ([only]) => {
    await (await import("./capture/capture-bench.js")).runCaptureBench(only);
    return "";
  },
  diff: async ([folder]) => {
    await (await import("./diff/diff-bench.js")).runDiffBench(folder);
    return "";
  },
  "javascript-run": async (rest) => (await import("./javascript/javascript-run.js")).javascriptRun(rest),
  javascript: async ([only]) => {
    await (await import("./javascript/javascript-bench.js")).runJavascriptBench(only);
    return "";
  },
  providers: async () => {
    await (await import("./providers/provider-bench.js")).runProviderBench();
    return "";
  },
  web: async () => {
    await (await import("./web/web-bench.js")).runWebBench();
    await (await import("./web/screenshot-bench.js")).runScreenshotBench();
    return "";
  },
  artifact: async ([only]) => {
    await (await import("./artifact/artifact-bench.js")).runArtifactBench(only);
    return "";
  },
};

const given = process.argv.slice(2);
const [first, ...rest] = given;
const command = first === undefined ? undefined : commands[first];
if (command === undefined) await (await import("./run-benchmarks.js")).runBenchmarks(given);
else process.stdout.write(await command(rest));
