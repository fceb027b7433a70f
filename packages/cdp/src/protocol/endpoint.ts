import { ReaError } from "@rea/core";

/** A place on this host where a browser or a runtime speaks the DevTools protocol. */
export interface Endpoint {
  /** `127.0.0.1` or `::1`. */
  readonly host: "127.0.0.1" | "::1";
  readonly port: number;
  /** `http://127.0.0.1:9222` */
  readonly url: string;
}

const form = /^http:\/\/(127\.0\.0\.1|\[::1\]):([1-9]\d{0,4})$/;

/**
 * Reads an endpoint: `http://127.0.0.1:PORT` or `http://[::1]:PORT`, to the letter. Throws `invalid_request` for names
 * (`localhost` too: what it leads to is decided elsewhere), other addresses, credentials, paths and all else.
 */
export function parseEndpoint(text: string, asked: { readonly operation: string; readonly field: string }): Endpoint {
  const [, address, digits = ""] = form.exec(text) ?? [];
  const port = Number(digits);
  if (address === undefined || port > 65_535) throw invalidEndpoint(asked);
  return { host: address === "[::1]" ? "::1" : "127.0.0.1", port, url: `http://${address}:${String(port)}` };
}

function invalidEndpoint({ operation, field }: { readonly operation: string; readonly field: string }): ReaError {
  const expected = "http://127.0.0.1:PORT or http://[::1]:PORT, with nothing after the port";
  return new ReaError("invalid_request", {
    message: `${field} is not a loopback endpoint: it has to be ${expected}. Give the address with its number, not a name.`,
    details: { operation, issues: [{ path: field, reason: "invalid_format", expected }] },
  });
}

/** The announced socket, if it is one of this very endpoint; names for the host are not resolved. */
export function socketPath(announced: string, endpoint: Endpoint): string | undefined {
  if (!URL.canParse(announced)) return undefined;
  const url = new URL(announced);
  const host = endpoint.host === "::1" ? "[::1]" : endpoint.host;
  // The port of the scheme itself is left out of a URL.
  const port = url.port === "" ? "80" : url.port;
  const own = url.protocol === "ws:" && url.hostname === host && port === String(endpoint.port);
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return own && plain ? url.pathname : undefined;
}
