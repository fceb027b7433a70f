/** Something the container says of a member's content, which reading the content proves or disproves. */
export type DeclaredCheck =
  | { readonly kind: "size"; readonly bytes: number }
  | { readonly kind: "crc32"; readonly value: number }
  | { readonly kind: "digest"; readonly algorithm: DigestAlgorithm; readonly hex: string; readonly declaredBy: string }
  | {
      readonly kind: "blocks";
      readonly algorithm: DigestAlgorithm;
      readonly blockBytes: number;
      readonly hex: readonly string[];
      readonly declaredBy: string;
    }
  | {
      /** A digest of a part of the content, which its first bytes tell. */
      readonly kind: "part";
      readonly algorithm: DigestAlgorithm;
      readonly hex: string;
      readonly declaredBy: string;
      readonly headBytes: number;
      /** Bytes from the content's start; undefined when there is no such part. */
      readonly part: (head: Uint8Array) => { readonly offset: number; readonly length: number } | undefined;
    }
  /**
   * Declared of bytes that are not the content itself: its compressed form, or the content without its holes. The reader
   * measures them while the content passes; `observed` is asked once, after all of it did.
   */
  | {
      readonly kind: "measured";
      /** `checksum` is one of the format's own. */
      readonly measure: "crc32" | "checksum" | DigestAlgorithm;
      readonly hex: string;
      readonly declaredBy: string;
      readonly observed: () => string;
    };

/** Names as `node:crypto` knows them. */
export type DigestAlgorithm = "md5" | "sha1" | "sha256" | "sha384" | "sha512";
