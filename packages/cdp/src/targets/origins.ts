import { ReaError } from "@rea/core";

/**
 * Origin of a URL as filters compare it: sockets count as the pages that open them (`ws:` as `http:`), blobs as what made
 * them, files as `file://`. `null` for what has none.
 */
export function originOf(url: string): string {
  if (/^file:/i.test(url)) return "file://";
  const inner = /^blob:/i.test(url) ? url.slice("blob:".length) : url;
  const asPage = inner.replace(/^ws(s?):/i, "http$1:");
  if (!URL.canParse(asPage)) return "null";
  const { origin, protocol } = new URL(asPage);
  return protocol === "http:" || protocol === "https:" ? origin : "null";
}

/** Whether a URL has an origin of its own; others (`about:`, `data:`, none) belong to the frame they are in. */
export function hasOrigin(url: string): boolean {
  return /^(?:https?|wss?|file|blob):/i.test(url);
}

/** Throws `invalid_request` unless each is an origin as browsers write it, such as `https://example.org`. */
export function requireOrigins(origins: readonly string[], operation: string): void {
  const issues = origins.flatMap((origin, index) => {
    const usable = origin === "file://" || (origin === originOf(origin) && /^https?:/.test(origin) && !origin.includes("*"));
    const expected = "an exact origin such as https://example.org, without path";
    return usable ? [] : [{ path: `allowed_origins[${String(index)}]`, reason: "invalid_format" as const, expected }];
  });
  if (issues.length === 0) return;
  throw new ReaError("invalid_request", {
    message: "allowed_origins takes exact origins such as https://example.org. Leave paths, wildcards and trailing slashes out.",
    details: { operation, issues },
  });
}

/** Which origins may be looked at. */
export class OriginPolicy {
  readonly #allowed: ReadonlySet<string>;

  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed);
  }

  allows(origin: string): boolean {
    return this.#allowed.has(origin);
  }

  /** For a URL in an allowed frame: its own origin decides, if it has one. */
  allowsUrl(url: string): boolean {
    return !hasOrigin(url) || this.allows(originOf(url));
  }
}
