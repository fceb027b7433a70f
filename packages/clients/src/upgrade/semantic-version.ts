interface SemanticVersion {
  readonly numbers: readonly [bigint, bigint, bigint];
  /** Empty for a release. */
  readonly prerelease: readonly string[];
}

/** Semantic Versioning 2.0.0 §2, §9, §10; null for anything else. */
function parse(text: string): SemanticVersion | null {
  const found = /^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text);
  if (found === null) return null;
  const [, major = "", minor = "", patch = "", prerelease] = found;
  return { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], prerelease: prerelease?.split(".") ?? [] };
}

export function isVersion(text: string): boolean {
  return parse(text) !== null;
}

/** Negative, zero or positive as the left one is older, equal or newer (Semantic Versioning 2.0.0 §11). Throws a plain Error for what is no version. */
export function compareVersions(left: string, right: string): number {
  const a = parse(left);
  const b = parse(right);
  if (a === null || b === null) throw new Error("a version is not of the form x.y.z");
  for (const [at, number] of a.numbers.entries()) {
    const other = b.numbers[at] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  for (const [at, part] of a.prerelease.entries()) {
    const order = comparePart(part, b.prerelease[at]);
    if (order !== 0) return order;
  }
  return a.prerelease.length - b.prerelease.length;
}

/** Numbers by size and before words; words by their characters. */
function comparePart(left: string, right: string | undefined): number {
  if (right === undefined) return 1;
  const numeric = [left, right].map((part) => /^[0-9]+$/.test(part));
  if (numeric[0] === true && numeric[1] === true) return BigInt(left) < BigInt(right) ? -1 : BigInt(left) > BigInt(right) ? 1 : 0;
  if (numeric[0] !== numeric[1]) return numeric[0] === true ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}
