import { canonicalDigestOfWhole, compareCodePoints, ReaError, type WebNormalizationKind, type WebNormalizationRule } from "@rea/core";

/** Literal replacements in their one order: longer literals first, so that none hides another, then by code point. */
export class WebNormalization {
  readonly rules: readonly WebNormalizationRule[];
  readonly sha256: string;

  /** Throws `invalid_request` for one literal with two replacements. */
  constructor(given: readonly WebNormalizationRule[], operation: string) {
    const byPlace = new Map<string, WebNormalizationRule>();
    given.forEach((rule, index) => {
      const place = JSON.stringify([rule.kind, rule.literal]);
      const before = byPlace.get(place);
      if (before !== undefined && before.replacement !== rule.replacement) throw twoReplacements(index, operation);
      byPlace.set(place, rule);
    });
    this.rules = [...byPlace.values()].sort((a, b) => compareCodePoints(a.kind, b.kind) || b.literal.length - a.literal.length || compareCodePoints(a.literal, b.literal));
    this.sha256 = canonicalDigestOfWhole(this.rules).sha256;
  }

  apply(kind: WebNormalizationKind, text: string): string {
    let normal = text;
    for (const rule of this.rules) if (rule.kind === kind) normal = normal.replaceAll(rule.literal, () => rule.replacement);
    return normal;
  }
}

function twoReplacements(index: number, operation: string): ReaError {
  return new ReaError("invalid_request", {
    message: `${operation} is given one literal with two replacements. Keep one of them and call again.`,
    details: { operation, issues: [{ path: `normalization[${String(index)}].replacement`, reason: "invalid_value", expected: "one replacement for each kind and literal" }] },
  });
}
