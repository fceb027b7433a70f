/** One generated file under `docs/reference`. */
export interface ReferencePage {
  readonly name: string;
  readonly text: string;
}

const notice = "<!-- Generated from the definitions by `pnpm docs:write`. Do not edit. -->";

/** A page of Markdown that starts with its title; the notice below it keeps people from editing it by hand. */
export function referencePage(name: string, markdown: string): ReferencePage {
  const [title = "", ...rest] = markdown.trimEnd().split("\n");
  return { name, text: [title, "", notice, ...rest, ""].join("\n") };
}
