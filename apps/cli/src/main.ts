import { startForExecutable } from "@rea/runtime";
import { wordsToReadAhead } from "./read-ahead.js";

const [first, second, ...more] = process.argv.slice(2);

// The server loads nothing of the command line; a command listens for signals before it loads the rest.
if (first === "mcp" && (second === undefined || (second === "--facade" && more.length === 0))) {
  const { serve } = await import("./serve.js");
  process.exit(await serve({ facade: second !== undefined }));
} else {
  // It reads the file beside the rest of this process being loaded.
  const thread = startForExecutable(wordsToReadAhead(process.argv.slice(2)), new URL("./worker.js", import.meta.url));
  // A command reads each thing once: to write code for every schema, as the validation library does unless its configuration
  // says otherwise, would take longer than it saves.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  await import("./interrupt.js");
  const { runCommandLine } = await import("./command-line.js");
  // Output may still be on its way to a pipe; a number in `exitCode` lets it arrive.
  process.exitCode = await runCommandLine(process.argv.slice(2), thread);
}
