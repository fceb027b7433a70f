/** How packs and files that writers left unfinished are named. */
export const packFileName = /^[0-9a-f]{64}\.facts$/u;
export const temporaryPackName = /^[0-9a-f]{64}\.facts\.[0-9a-f]{16}\.tmp$/u;

export const packMagic = Buffer.from("\x89REAJSF\n", "latin1");

/** What a pack of a version of the code begins with. */
export function packHeader(versionDigest: Buffer): Buffer {
  return Buffer.concat([packMagic, versionDigest]);
}

/** Bytes of all packs together; the least recently used go first. */
export const standardCacheBytes = 512 * 1024 * 1024;
