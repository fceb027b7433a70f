import { readImports } from "../facts/read-facts.js";
import type { OriginalImport } from "./file-facts.js";

const scripts = /\.(?:[cm]?[jt]sx?|vue|svelte)(?:\?.*)?$/iu;
const most = 2_000_000;

/** What an original asks for; nothing for what is no script or cannot be read. */
export async function parseImports(text: string, name: string): Promise<readonly OriginalImport[]> {
  if (text.length > most || !/\b(?:import|export|require)\b/u.test(text)) return [];
  const plain = name.replace(/[?#].*$/su, "").split("/").at(-1) ?? "";
  if (!scripts.test(plain) && plain.includes(".")) return [];
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
