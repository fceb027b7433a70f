const [first, second] = process.argv.slice(2);

// The server loads nothing of the command line.
const status =
  first === "mcp" && second === undefined
    ? await (await import("./serve.js")).serve()
    : await (await import("./command-line.js")).runCommandLine(process.argv.slice(2));

// Output may still be on its way to a pipe; a number in `exitCode` lets it arrive.
process.exitCode = status;
if (first === "mcp" && second === undefined) process.exit(status);
