import { artifactRun } from "./artifact-run.js";

/** Entry point of a measured process. */
process.stdout.write(await artifactRun(process.argv.slice(2)));
