import { isGeneratedName } from "../functions/generated-name.js";
import type { NameFact } from "./provider-facts.js";

/**
 * The forms in which engines write one and the same name: with and without the version of a library (`@GLIBC_2.2.5`), the
 * leading underscore of Mach-O, the parameters and the namespaces of a demangled name. Empty for a name made of an address.
 */
export function nameForms({ value, demangled }: Pick<NameFact, "value" | "demangled">): ReadonlySet<string> {
  if (isGeneratedName(value)) return new Set();
  const bare = value.replace(/@{1,2}[\w.]+$/u, "");
  const forms = [value, bare, bare.replace(/^_+/u, ""), ...(demangled === undefined ? [] : [demangled])];
  return new Set([...forms, ...forms.flatMap(ownName)].filter((form) => form !== ""));
}

/** The function's own word in a demangled name, where it is a plain one: `ns::Type::call(std::string)` → `call`. */
function ownName(name: string): readonly string[] {
  const [, word] = /^(?:.*::)?([A-Za-z_$~][\w$]*)(?:\(.*)?$/su.exec(name) ?? [];
  return word === undefined ? [] : [word];
}
