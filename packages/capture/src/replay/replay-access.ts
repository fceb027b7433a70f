import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What lets a program in: a token that is made for one run, and the address it was told. */
export interface ReplayAccess {
  readonly token: string;
  /** The path after the token, beginning with `/`; undefined for anybody else. */
  pathOf(request: IncomingMessage): string | undefined;
}

/**
 * `hosts`: what a Host header may say. A page of a foreign site that finds the port by a rebound name says another host,
 * and knows no token.
 */
export function createAccess(hosts: ReadonlySet<string>): ReplayAccess {
  const token = randomBytes(24).toString("hex");
  return {
    token,
    pathOf: ({ url = "", headers }) => {
      if (!hosts.has((headers.host ?? "").toLowerCase())) return undefined;
      const [, given = "", rest = ""] = /^\/([^/?#]*)(.*)$/s.exec(url) ?? [];
      if (!isEqual(given, token)) return undefined;
      return rest.startsWith("/") ? rest : `/${rest}`;
    },
  };
}

function isEqual(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
