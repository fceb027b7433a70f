/** Raised when the bridge answers otherwise than before. */
export const bridgeVersion = 1;

/** How much one answer is made of at most; all of it shows where it cuts something off. */
export const hopperBounds = {
  inventoryItems: 1_000_000,
  functionInstructions: 100_000,
  listingBytes: 1024 * 1024,
  listCodePoints: 1_024,
  searchCodePoints: 4_096,
} as const;

/** Milliseconds. */
export const hopperDeadlines = { request: 30_000, decompile: 60_000, inventory: 120_000 } as const;
