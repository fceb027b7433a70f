export interface Language {
  readonly name: string;
  /** It can be read as a script. */
  readonly isScript: boolean;
}

const scripts: readonly (readonly [RegExp, string])[] = [
  [/\.d\.[cm]?ts$/iu, "typescript-declarations"],
  [/\.(?:[cm]?ts)$/iu, "typescript"],
  [/\.tsx$/iu, "tsx"],
  [/\.jsx$/iu, "jsx"],
  [/\.[cm]?js$/iu, "javascript"],
  [/\.vue$/iu, "vue"],
  [/\.svelte$/iu, "svelte"],
];

const others: ReadonlyMap<string, string> = new Map([
  ["html", "html"], ["htm", "html"], ["css", "css"], ["scss", "scss"], ["sass", "sass"], ["less", "less"], ["json", "json"], ["json5", "json5"], ["md", "markdown"],
  ["yaml", "yaml"], ["yml", "yaml"], ["toml", "toml"], ["xml", "xml"], ["svg", "svg"], ["graphql", "graphql"], ["gql", "graphql"], ["sh", "shell"], ["py", "python"],
  ["rs", "rust"], ["go", "go"], ["c", "c"], ["h", "c"], ["cc", "c++"], ["cpp", "c++"], ["hpp", "c++"], ["java", "java"], ["kt", "kotlin"], ["swift", "swift"], ["m", "objective-c"], ["mm", "objective-c++"], ["cs", "c#"], ["sql", "sql"], ["wasm", "webassembly"],
]);

/** The language of a file by its name; `.ts` that holds a video stream has none. */
export function languageOf(name: string, bytes: Uint8Array): Language | undefined {
  if (bytes[0] === 0x47 && bytes.subarray(0, 64).includes(0)) return undefined;
  const script = scripts.find(([form]) => form.test(name));
  if (script !== undefined) return { name: script[1], isScript: script[1] !== "typescript-declarations" };
  const other = others.get(/\.([^.]+)$/u.exec(name)?.[1]?.toLowerCase() ?? "");
  return other === undefined ? undefined : { name: other, isScript: false };
}
