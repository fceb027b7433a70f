/** The length of a file as the checksum takes it in. The deliberate fault: a length has more bytes than one. */
export function lengthBytes(length) {
  return length === 0 ? [] : [length & 0xff];
}
