/** A record of a bundle file, as an argument: the bundle is imported first, then the tool gets a reference. */
export class BundleRecord {
  readonly bundle: string;
  readonly evidence_id: string;

  constructor(bundle: string, evidenceId: string) {
    this.bundle = bundle;
    this.evidence_id = evidenceId;
  }
}

/** The input with references in place of records of bundles, and the bundles, each once. */
export function referencesIn(input: { readonly [field: string]: unknown }): { readonly input: { [field: string]: unknown }; readonly bundles: readonly string[] } {
  const bundles = new Set<string>();
  const reference = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reference);
    if (!(value instanceof BundleRecord)) return value;
    bundles.add(value.bundle);
    return { evidence_id: value.evidence_id };
  };
  const plain = Object.fromEntries(Object.entries(input).map(([field, value]) => [field, reference(value)]));
  return { input: plain, bundles: [...bundles] };
}
