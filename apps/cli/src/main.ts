import { startForExecutable } from "@rea/runtime";

const [first, second, ...more] = process.argv.slice(2);

/** Commands that take files and programs as they are: nothing of them is analysed, so no thread is to read ahead. */
const withoutAnalysis = /^(?:cache$|capture-|compare$|compare-(?:artifacts|process|web)|decode-|evidence-|extract-|inspect-(?:artifact|asset|keyed|plist)|replay-|run-|verify-)/;

// The server loads nothing of the command line; a command listens for signals before it loads the rest.
if (first === "mcp" && (second === undefined || (second === "--facade" && more.length === 0))) {
  const { serve } = await import("./serve.js");
  process.exit(await serve({ facade: second !== undefined }));
} else {
  // It reads the file beside the rest of this process being loaded.
  const words = withoutAnalysis.test(first ?? "") ? [] : process.argv.slice(3);
  const thread = startForExecutable(words, new URL("./worker.js", import.meta.url));
  // A command reads each thing once: to write code for every schema, as the validation library does unless its configuration
  // says otherwise, would take longer than it saves.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  await import("./interrupt.js");
  const { runCommandLine } = await import("./command-line.js");
  // Output may still be on its way to a pipe; a number in `exitCode` lets it arrive.
  process.exitCode = await runCommandLine(process.argv.slice(2), thread);
}
