import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Crc64 } from "./crc64.js";

/** Bytes of each check id (the .xz file format, §2.1.1.2). */
const sizes = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];

/** The check behind a block's data. `digest` answers undefined for a kind that is reserved: nothing can be compared. */
export interface IntegrityCheck {
  readonly sizeBytes: number;
  update(bytes: Uint8Array): void;
  digest(): Uint8Array | undefined;
}

/** The check of an id from 0 to 15. */
export function integrityCheck(id: number): IntegrityCheck {
  const sizeBytes = sizes[id] ?? 0;
  switch (id) {
    case 1:
      return crc32Check();
    case 4: {
      const crc = new Crc64();
      return { sizeBytes, update: (bytes) => crc.update(bytes), digest: () => crc.digest() };
    }
    case 10: {
      const hash = createHash("sha256");
      return { sizeBytes, update: (bytes) => void hash.update(bytes), digest: () => hash.digest() };
    }
    default:
      return { sizeBytes, update: () => undefined, digest: () => (sizeBytes === 0 ? new Uint8Array(0) : undefined) };
  }
}

function crc32Check(): IntegrityCheck {
  let value = 0;
  return {
    sizeBytes: 4,
    update(bytes) {
      value = crc32(bytes, value);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(value);
      return bytes;
    },
  };
}
