const [first, second] = process.argv.slice(2);

// The server loads nothing of the command line; a command listens for signals before it loads the rest.
if (first === "mcp" && second === undefined) {
  const { serve } = await import("./serve.js");
  process.exit(await serve());
} else {
  await import("./interrupt.js");
  const { runCommandLine } = await import("./command-line.js");
  // Output may still be on its way to a pipe; a number in `exitCode` lets it arrive.
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
