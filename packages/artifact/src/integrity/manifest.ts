import type { SignedData } from "@rea/binary";
import type { DeclaredCheck } from "../declared-check.js";
import type { EntryName } from "../entry-name.js";

/** Kinds of lists that a container holds of its own members. */
export type ManifestKind =
  | "jar-manifest"
  | "wheel-record"
  | "code-resources"
  | "appx-block-map"
  | "appx-signature"
  | "opc-signature"
  | "npm-lockfile"
  | "asar-integrity"
  | "deb-md5sums"
  | "rpm-header";

/** What a list says of one member. */
export interface DeclaredMember {
  readonly checks: readonly DeclaredCheck[];
  /** True when the list allows it to be missing. */
  readonly optional: boolean;
  /** Target of a symbolic link that is to stand there. */
  readonly link?: string;
}

/** Something that is wrong with a list by itself. */
export interface ManifestProblem {
  readonly anomaly: "digest_mismatch" | "manifest_conflict" | "manifest_missing_member";
  /** The member it is about, by its path from the container's root; the list itself where left out. */
  readonly path?: string;
  readonly detail: string;
  readonly effect: string;
}

/** A list of members with digests, read before the members are. Paths count from the container's root. */
export interface MemberManifest {
  readonly kind: ManifestKind;
  /** Fixed words of ours, which name the list where a member contradicts it. */
  readonly declaredBy: string;
  /** The member that is the list; undefined when it stands outside of the container. */
  readonly path: string | undefined;
  /** What it speaks of lies below this; "" or a path with a slash at its end. */
  readonly root: string;
  readonly members: ReadonlyMap<string, DeclaredMember>;
  /** Members it names in a way that is not checked here. */
  readonly unchecked: number;
  readonly problems: readonly ManifestProblem[];
  readonly signatures: readonly PackageSignature[];
  /** Whether a regular file at this path should have been named. */
  readonly covers?: (path: string) => boolean;
}

/** A signature over a list of members, or over a package as a whole. */
export interface PackageSignature {
  readonly scheme: string;
  /** Where it stands: a member's path, or the container itself where left out. */
  readonly path?: string;
  readonly verdict: "holds" | "broken" | "not_verified";
  /** Sentences of ours. */
  readonly problems: readonly string[];
  readonly signers: SignedData["signers"];
  readonly certificates: SignedData["certificates"];
}

/** A list as a reader reports it once the container was gone through. */
export interface FoundManifest {
  readonly kind: ManifestKind;
  readonly declaredBy: string;
  /** The member that is the list; undefined when it stands outside of the container. */
  readonly name: EntryName | undefined;
  readonly root: string;
  readonly members: number;
  /** Paths of the members from the container's root, where they are few. */
  readonly named: readonly string[];
  readonly missing: number;
  readonly extra: number;
  readonly unchecked: number;
}

/** A name of text as the containers of this package give names. */
export function nameOf(text: string): EntryName {
  return { bytes: Buffer.from(text), text };
}

/** A path as lists and containers both write it: without `./` in front and a slash at the end. */
export function memberKey(path: string): string {
  let start = 0;
  while (path.startsWith("./", start)) start += 2;
  return path.endsWith("/") ? path.slice(start, -1) : path.slice(start);
}
