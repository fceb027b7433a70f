/** Of the cookie, in bytes. */
export const cookieBytes = 16;
export const cookieName = "MIT-MAGIC-COOKIE-1";

/** Xsecurity: an entry for every host and display is family 65535 with no address and no number. */
const anyHost = 0xffff;

/** The file that gives a server its cookie and its clients theirs. */
export function authorityFile(cookie: Buffer): Buffer {
  const family = Buffer.alloc(2);
  family.writeUInt16BE(anyHost);
  return Buffer.concat([family, field(Buffer.alloc(0)), field(Buffer.alloc(0)), field(Buffer.from(cookieName, "latin1")), field(cookie)]);
}

function field(content: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([length, content]);
}
