/** Bounds of one connection; bytes and milliseconds. */
export const socketLimits = {
  connectMs: 5000,
  commandMs: 5000,
  frameBytes: 16 * 1024 * 1024,
  pending: 128,
} as const;

/** Bounds of what an endpoint says about itself. */
export const discoveryLimits = {
  requestMs: 5000,
  versionBytes: 64 * 1024,
  listBytes: 2 * 1024 * 1024,
  targets: 1000,
} as const;
