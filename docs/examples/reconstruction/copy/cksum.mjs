// A copy of the standard program cksum: checksum, size and name of each file.
import { readFileSync } from "node:fs";
import { lengthBytes } from "./length-bytes.mjs";

const polynomial = 0x04c11db7;

/** The checksum that POSIX names: a CRC over the bytes of the file and then over its length. */
function checksum(bytes) {
  let crc = 0;
  for (const byte of [...bytes, ...lengthBytes(bytes.length)]) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ polynomial : crc << 1;
  }
  return ~crc >>> 0;
}

for (const name of process.argv.slice(2)) {
  try {
    const bytes = readFileSync(name);
    process.stdout.write(`${checksum(bytes)} ${bytes.length} ${name}\n`);
  } catch {
    process.stderr.write(`cksum: ${name}: No such file or directory\n`);
    process.exitCode = 1;
  }
}
