import { compareCodePoints, escapeUntrusted, type BrowserScenario, type ScenarioHeader } from "@rea/core";
import { pageText, pageWord } from "../page/page-text.js";
import { isCredentialName, shownUrl } from "../targets/shown-url.js";
import type { Secrets } from "./secrets.js";

/** Headers whose values are credentials by their nature. */
const credentialHeaders = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie", "cookie2", "set-cookie2", "x-api-key", "x-auth-token", "x-csrf-token", "www-authenticate", "proxy-authenticate"]);
const mostHeaders = 64;
const headerBytes = 1024;

/** How text of the page enters a capture: without secrets, without what the scenario wants redacted, escaped and bounded. */
export class PageWords {
  readonly #secrets: Secrets;
  readonly #textBytes: number;
  readonly #queryNames: readonly string[];
  readonly #headerNames: ReadonlySet<string>;

  constructor(secrets: Secrets, { redaction, capture }: Pick<BrowserScenario, "redaction" | "capture">) {
    this.#secrets = secrets;
    this.#textBytes = capture.limits.text_bytes;
    this.#queryNames = redaction.query_names;
    this.#headerNames = new Set(redaction.header_names.map((name) => name.toLowerCase()));
  }

  text(text: string): { readonly text: string; readonly truncated: boolean } {
    return pageText(this.#secrets.hide(text), this.#textBytes);
  }

  word(text: string): string {
    return pageWord(this.#secrets.hide(text));
  }

  url(url: string): string {
    return escapeUntrusted(this.#secrets.hide(shownUrl(url, this.#queryNames)));
  }

  /** In the order of their names; those that carry credentials without their values. */
  headers(headers: readonly { readonly name: string; readonly value: string }[]): ScenarioHeader[] {
    const kept = [...headers].sort((a, b) => compareCodePoints(a.name, b.name)).slice(0, mostHeaders);
    return kept.map(({ name, value }) => {
      const redacted = isCredentialHeader(name) || this.#headerNames.has(name.toLowerCase());
      const isUrl = /^(?:location|referer|origin|content-location|link)$/i.test(name);
      const shown = isUrl ? this.url(value) : pageText(this.#secrets.hide(value), headerBytes).text;
      return { name: this.word(name), value: redacted ? "«redacted»" : shown, redacted };
    });
  }
}

export function isCredentialHeader(name: string): boolean {
  return credentialHeaders.has(name.toLowerCase()) || isCredentialName(name);
}
