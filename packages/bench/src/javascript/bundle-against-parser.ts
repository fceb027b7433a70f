import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createScriptReader } from "@rea/javascript";

const rounds = 7;
const limits = { astNodes: 40_000_000, findings: 50_000 };

/** Time to read a bundle whole, once warm, in times of what acorn alone takes to parse it. The best of several rounds each. */
export async function bundleAgainstParser(bundle: string): Promise<number> {
  const text = readFileSync(bundle, "utf8");
  const parse = acornParse();
  const reader = createScriptReader();
  try {
    let [own, reference] = [Infinity, Infinity];
    for (let round = 0; round < rounds; round += 1) {
      reference = Math.min(reference, await timed(() => void parse(text, { ecmaVersion: "latest", sourceType: "script" })));
      own = Math.min(own, await timed(() => reader.readScript(text, limits)));
    }
    return own / reference;
  } finally {
    await reader.close();
  }
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The parser that the reader uses itself. */
function acornParse(): (text: string, options: { readonly ecmaVersion: "latest"; readonly sourceType: "script" }) => unknown {
  const loaded: unknown = createRequire(new URL("../../../javascript/package.json", import.meta.url))("acorn");
  if (typeof loaded !== "object" || loaded === null || !("parse" in loaded) || typeof loaded.parse !== "function") throw new Error("acorn is not installed.");
  const { parse } = loaded;
  return (text, options) => {
    const program: unknown = Reflect.apply(parse, undefined, [text, options]);
    return program;
  };
}
