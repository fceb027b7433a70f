/**
 * Names of parameters whose values are never kept, compared without case, `-`, `_` and `.`. A fixed list: what a page calls
 * its secrets otherwise is not recognised.
 */
export const credentialNames: readonly string[] = [
  "accesskey",
  "accesstoken",
  "apikey",
  "assertion",
  "auth",
  "authcode",
  "authorization",
  "authtoken",
  "bearer",
  "clientsecret",
  "code",
  "codeverifier",
  "credential",
  "credentials",
  "csrf",
  "csrftoken",
  "idtoken",
  "jwt",
  "key",
  "otp",
  "pass",
  "passcode",
  "passphrase",
  "passwd",
  "password",
  "privatekey",
  "pwd",
  "refreshtoken",
  "samlresponse",
  "secret",
  "session",
  "sessionid",
  "sessiontoken",
  "sid",
  "sig",
  "signature",
  "ticket",
  "token",
  "xamzcredential",
  "xamzsecuritytoken",
  "xamzsignature",
  "xgoogcredential",
  "xgoogsignature",
  "xsrf",
  "xsrftoken",
];

const names = new Set(credentialNames);
const redacted = "«redacted»";
const maximumUnits = 4096;

/**
 * A URL as results may carry it: without user and password, values of parameters named like credentials (in query and
 * fragment, `extra` names included) replaced by `«redacted»`, the data of `data:` URLs left out, cut after 4,096 units.
 * What is not escaped here is escaped where the result is made.
 */
export function shownUrl(url: string, extra: readonly string[] = []): string {
  if (/^data:/i.test(url)) return `${url.slice(0, 256).split(",", 1)[0] ?? ""},…`;
  const bare = withoutUser(url);
  const [, before = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/su.exec(bare) ?? [undefined, bare];
  const more = extra.map(plainName);
  const text = `${before}${redactPairs(query, more)}${redactPairs(fragment, more)}`;
  return text.length <= maximumUnits ? text : `${wellFormed(text.slice(0, maximumUnits))}…`;
}

/** True for a parameter that is named like a credential. */
export function isCredentialName(name: string): boolean {
  return names.has(plainName(name));
}

function withoutUser(url: string): string {
  // Up to the last "@" before path, query and fragment, as URL parsers read it; backslashes are slashes to them.
  return url.replace(/^([a-z][a-z0-9+.-]*:[\\/]{2})[^\\/?#]*@/iu, "$1");
}

/** Pairs after `?`, `#` or `&`; `;` separates too. A fragment with a path and a query of its own has them after its `?`. */
function redactPairs(text: string, extra: readonly string[]): string {
  return text.replace(/([?#&;])([^=&;?#]*)=([^&;#]*)/gu, (pair, mark: string, name: string) => {
    const written = decoded(name);
    // Forms write a field of a group as `user[password]`.
    const plain = [written, /\[([^[\]]+)\]$/u.exec(written)?.[1] ?? ""].map(plainName);
    return plain.some((one) => names.has(one) || extra.includes(one)) ? `${mark}${name}=${redacted}` : pair;
  });
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.[\]\s]/gu, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function wellFormed(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
