import { readImports } from "../facts/read-facts.js";
import type { OriginalImport } from "./file-facts.js";

const scripts = /\.(?:[cm]?[jt]sx?|vue|svelte)(?:\?.*)?$/iu;
const most = 2_000_000;

/** Builds of a package for several hosts name the same originals: what was read of one is kept for the next, of a few thousand. */
const known = new Map<string, readonly OriginalImport[]>();
const mostKnown = 5000;

/** What an original asks for; nothing for what is no script or cannot be read. `sha256` is that of the text. */
export async function parseImports(text: string, name: string, sha256: string): Promise<readonly OriginalImport[]> {
  if (text.length > most || !/\b(?:import|export|require)\b/u.test(text)) return [];
  const plain = name.replace(/[?#].*$/su, "").split("/").at(-1) ?? "";
  if (!scripts.test(plain) && plain.includes(".")) return [];
  const key = `${sha256} ${/\.[^.]*$/u.exec(plain)?.[0].toLowerCase() ?? ""}`;
  const found = known.get(key) ?? (await readImportsOf(text, plain));
  if (known.size >= mostKnown) known.clear();
  known.set(key, found);
  return found;
}

async function readImportsOf(text: string, plain: string): Promise<readonly OriginalImport[]> {
  const imports = await readImports(scriptOf(text, plain), { name: plain.replace(/\.(?:vue|svelte)$/iu, ".ts"), moduleType: null }, { astNodes: 1_000_000, findings: 5000 });
  return imports.flatMap(({ specifier, kind, basis }) => (specifier === null ? [] : [{ specifier, kind, isTypeOnly: basis === "type-only" }]));
}

/** The scripts of a component file, everything else blanked so that offsets stay. */
function scriptOf(text: string, name: string): string {
  if (!/\.(?:vue|svelte)$/iu.test(name)) return text;
  let result = "";
  let at = 0;
  for (const { index, 0: whole, 1: body } of text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script\s*>/giu)) {
    const start = index + whole.indexOf(body ?? "");
    result += blank(text.slice(at, start)) + (body ?? "");
    at = start + (body?.length ?? 0);
  }
  return result + blank(text.slice(at));
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/gu, " ");
}
