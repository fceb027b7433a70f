/** One generated file under `docs/reference`. */
export interface ReferencePage {
  readonly name: string;
  readonly text: string;
}

/** Every page starts the same way, so that nobody edits it by hand. */
export function referencePage(name: string, title: string, sections: readonly string[]): ReferencePage {
  const head = [`# ${title}`, `<!-- Generated from the definitions by \`pnpm docs:write\`. Do not edit. -->`];
  return { name, text: `${[...head, ...sections].join("\n\n")}\n` };
}
