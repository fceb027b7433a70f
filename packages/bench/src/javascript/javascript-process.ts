import { javascriptRun } from "./javascript-run.js";

/** Entry point of a measured process. */
process.stdout.write(await javascriptRun(process.argv.slice(2)));
