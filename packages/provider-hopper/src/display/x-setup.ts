/** What a display says of itself when a client is admitted; of its first screen. */
export interface DisplaySetup {
  /** The window that all others are in. */
  readonly root: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly screens: number;
}

/** X Window System Protocol §8: the server's answer to a client that it admits. Undefined when it is too short for what it says. */
export function readSetup(answer: Buffer): DisplaySetup | undefined {
  if (answer.length < 40) return undefined;
  const vendorBytes = answer.readUInt16LE(24);
  const screens = answer.readUInt8(28);
  const formats = answer.readUInt8(29);
  const screen = 40 + vendorBytes + ((4 - (vendorBytes % 4)) % 4) + 8 * formats;
  if (screens === 0 || answer.length < screen + 40) return undefined;
  return {
    root: answer.readUInt32LE(screen),
    width: answer.readUInt16LE(screen + 20),
    height: answer.readUInt16LE(screen + 22),
    depth: answer.readUInt8(screen + 38),
    screens,
  };
}
