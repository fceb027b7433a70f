const callOpcode = 0xe8;
/** The last bytes of a frame are never changed. */
const tailBytes = 10;

/** Makes the targets of x86 CALL instructions relative again, in place. `position` is that of the frame in the data. */
export function restoreCalls(frame: Uint8Array, position: number, fileSize: number): void {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  const end = bytes.byteLength - tailBytes;
  for (let at = bytes.indexOf(callOpcode); at >= 0 && at < end; at = bytes.indexOf(callOpcode, at + 5)) {
    const target = bytes.readInt32LE(at + 1);
    const here = position + at;
    if (target >= -here && target < fileSize) bytes.writeInt32LE((target >= 0 ? target - here : target + fileSize) | 0, at + 1);
  }
}
