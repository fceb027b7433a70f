/** The length of a file as the checksum takes it in: the lowest byte first, without leading zeros. */
export function lengthBytes(length) {
  const bytes = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  return bytes;
}
