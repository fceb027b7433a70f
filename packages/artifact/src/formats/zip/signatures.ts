/** Record signatures of APPNOTE, as little-endian numbers. */
export const signatures = {
  local: 0x04034b50,
  central: 0x02014b50,
  descriptor: 0x08074b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  archiveExtraData: 0x08064b50,
} as const;

/** Lengths of the records' fixed parts. */
export const fixedBytes = { local: 30, central: 46, end: 22, zip64End: 56, zip64Locator: 20 } as const;

/** General purpose bits (APPNOTE 4.4.4). */
export const flagBits = {
  encrypted: 0x0001,
  descriptor: 0x0008,
  strong: 0x0040,
  utf8: 0x0800,
  masked: 0x2000,
} as const;

/** A 32-bit field that says "the zip64 extra field knows". */
export const elsewhere32 = 0xffff_ffff;
export const elsewhere16 = 0xffff;
