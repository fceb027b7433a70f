/** Where finished analyses are kept from one process to the next, and what they are good for. */
export interface AnalysisCacheSettings {
  /** Absolute; made with mode 0700 when the first analysis is kept. Nothing is read or written through a link. */
  readonly directory: string;
  /** Names the code of the engine: an analysis is used by the version that made it and by no other. */
  readonly version: string;
  /** Bytes of all files together, default 1 GiB: the least recently used go first, and none is larger than a quarter. */
  readonly maximumBytes?: number | undefined;
}

export const standardCacheBytes = 1024 ** 3;

export function largestEntry({ maximumBytes = standardCacheBytes }: AnalysisCacheSettings): number {
  return Math.floor(maximumBytes / 4);
}
