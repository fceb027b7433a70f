import type { ManifestKind, PackageSignature } from "./manifest.js";

/** A list of digests with what became of the members it names. */
export interface ManifestVerdict {
  readonly kind: ManifestKind;
  /** Where the list stands, or the container that another one speaks of. */
  readonly logical_path: string;
  readonly declared_by: string;
  /**
   * `broken`: members have other bytes or are missing. `extended`: there are members that it should name and does not.
   * `not_verified`: it names nothing that is checked.
   */
  readonly verdict: "holds" | "broken" | "extended" | "not_verified";
  readonly members: number;
  readonly broken: number;
  readonly missing: number;
  readonly extra: number;
  /** Members named in a way that is not checked. */
  readonly unchecked: number;
}

/** A signature with its place. */
export interface PlacedSignature extends Omit<PackageSignature, "path"> {
  readonly logical_path: string;
}
