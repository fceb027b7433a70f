// `npm start -- <args>`: set up what is missing, then run the CLI in this process.
// Only old syntax here, and no static import: an old Node must get as far as the version check.
var wanted = [20, 19];
var have = process.versions.node.split(".").map(Number);

if (have[0] < wanted[0] || (have[0] === wanted[0] && have[1] < wanted[1])) {
  process.stderr.write("rea needs Node " + wanted.join(".") + " or newer; this is Node " + process.versions.node + "\n");
  process.exitCode = 1;
} else {
  import("./run-cli.mjs").then(function (module) {
    return module.runCli(process.argv.slice(2));
  });
}
