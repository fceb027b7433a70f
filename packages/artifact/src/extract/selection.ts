/** Which members are wanted: exact logical paths, or everything below a prefix that ends in `/`. */
export class Selection {
  readonly #exact: ReadonlySet<string>;
  readonly #prefixes: readonly string[];
  readonly #matched = new Set<string>();

  /** Everything, when nothing is named. */
  constructor(select: readonly string[] | undefined) {
    this.#exact = new Set(select?.filter((path) => !path.endsWith("/")) ?? []);
    this.#prefixes = select === undefined ? [""] : select.filter((path) => path.endsWith("/"));
  }

  has(path: string): boolean {
    const prefixes = this.#prefixes.filter((prefix) => path.startsWith(prefix));
    for (const prefix of prefixes) this.#matched.add(prefix);
    if (this.#exact.has(path)) this.#matched.add(path);
    return prefixes.length > 0 || this.#exact.has(path);
  }

  /** What was asked for and never met. */
  unmatched(): readonly string[] {
    return [...this.#exact, ...this.#prefixes].filter((path) => path !== "" && !this.#matched.has(path));
  }
}
