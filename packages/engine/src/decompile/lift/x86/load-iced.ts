import { createRequire } from "node:module";
import type { Iced } from "../../../disassembler/x86/code-table.js";

let loaded: Iced | undefined;

/** The x86 decoder's module; `import` would first search the large CommonJS file for names to export. */
export function loadIced(): Iced {
  if (loaded !== undefined) return loaded;
  const found: unknown = createRequire(import.meta.url)("iced-x86");
  if (!isIced(found)) throw new Error("The x86 decoder module does not offer what it should.");
  loaded = found;
  return found;
}

function isIced(module: unknown): module is Iced {
  return typeof module === "object" && module !== null && "Decoder" in module && "Register" in module && "Mnemonic" in module;
}
