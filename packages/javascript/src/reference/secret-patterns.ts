/** Names that files with secrets usually have. `*` is any part of a name, `**` any number of directories, `?` one character. */
const standardPatterns: readonly string[] = [
  ".env",
  ".env.*",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "*.ppk",
  "id_rsa*",
  "id_dsa*",
  "id_ecdsa*",
  "id_ed25519*",
  ".npmrc",
  ".netrc",
  ".pypirc",
  ".git-credentials",
  ".htpasswd",
  ".aws/credentials",
  ".docker/config.json",
  "credentials.json",
  "service-account*.json",
  "secrets.json",
  "secrets.y*ml",
  "secrets.toml",
  "secrets.env",
  "secret.json",
];

const mostPatterns = 200;
const longestPattern = 256;

/** Extra patterns as a JSON array of texts; undefined when it is none. */
export function parseSecretPatterns(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value) || value.length > mostPatterns) return undefined;
    const patterns = value.filter((item: unknown): item is string => typeof item === "string" && item !== "" && item.length <= longestPattern && !item.includes("\0"));
    return patterns.length === value.length ? patterns : undefined;
  } catch {
    // No JSON: the caller says which setting that is.
    return undefined;
  }
}

/** Finds the pattern that a path matches, upper and lower case alike. */
export class SecretPatterns {
  readonly #patterns: readonly { readonly shown: string; readonly segments: readonly string[]; readonly isName: boolean }[];

  constructor(extra: readonly string[]) {
    this.#patterns = [...standardPatterns, ...extra].map((shown) => {
      const plain = shown.toLowerCase().replace(/^\/+|\/+$/gu, "");
      return { shown, segments: plain.split("/"), isName: !plain.includes("/") };
    });
  }

  /** A pattern without `/` is about names, also of directories; one with `/` about the end of the path, or all of it with a leading `/`. */
  matching(path: string): string | undefined {
    const segments = path.toLowerCase().split("/");
    const name = segments.at(-1) ?? "";
    for (const { shown, segments: wanted, isName } of this.#patterns) {
      if (isName ? matchesName(wanted[0] ?? "", name) : matchesPath(shown, wanted, segments)) return shown;
    }
    return undefined;
  }
}

function matchesPath(shown: string, wanted: readonly string[], segments: readonly string[]): boolean {
  const isAnchored = shown.startsWith("/");
  return globs(isAnchored ? wanted : ["**", ...wanted], segments, { any: (part) => part === "**", one: matchesName });
}

function matchesName(pattern: string, name: string): boolean {
  return globs([...pattern], [...name], { any: (part) => part === "*", one: (part, character) => part === "?" || part === character });
}

interface GlobWords<T> {
  /** Whether a part of the pattern stands for any number of items. */
  any(part: string): boolean;
  one(part: string, item: T): boolean;
}

/** Matches with a single place to go back to: time is at most the product of both lengths. */
function globs<T>(pattern: readonly string[], items: readonly T[], { any, one }: GlobWords<T>): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (from < items.length) {
    const part = pattern[at];
    const item = items[from];
    if (part !== undefined && any(part)) {
      [star, mark] = [at, from];
      at += 1;
    } else if (part !== undefined && item !== undefined && one(part, item)) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      mark += 1;
      [at, from] = [star + 1, mark];
    } else return false;
  }
  return pattern.slice(at).every(any);
}
