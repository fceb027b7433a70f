import { readFileSync } from "node:fs";
import { replaceFile } from "../src/files/replace-file.js";

// Replaces a file and, when told so, kills itself before the step of that number.
const [place = "", content = "", number = "0"] = process.argv.slice(2);
let count = 0;
const before = readFileSync(place);
const replaced = replaceFile({
  place,
  before,
  after: Buffer.from(content.startsWith("@") ? "x".repeat(Number(content.slice(1))) : content),
  mode: 0o640,
  backup: `${place}.rea.backup`,
  onStep: () => {
    count += 1;
    if (count === Number(number)) process.kill(process.pid, "SIGKILL");
  },
});
process.stderr.write(JSON.stringify(replaced));
