import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasOrigin, originOf, OriginPolicy, requireOrigins } from "./origins.js";
import { credentialNames, isCredentialName, shownUrl } from "./shown-url.js";

describe("URLs as results carry them", () => {
  it.each([
    ["https://user:secret@example.org/a", "https://example.org/a"],
    ["https://user@example.org:8080", "https://example.org:8080"],
    ["https://a@b@example.org/x@y", "https://example.org/x@y"],
    ["https:\\\\user:secret@example.org\\a", "https:\\\\example.org\\a"],
    ["https://example.org/?token=secret&page=2", "https://example.org/?token=«redacted»&page=2"],
    ["https://example.org/?ACCESS-Token=secret", "https://example.org/?ACCESS-Token=«redacted»"],
    ["https://example.org/?api%5Fkey=secret", "https://example.org/?api%5Fkey=«redacted»"],
    ["https://example.org/?user[password]=secret&user%5Bpin_code%5D=1", "https://example.org/?user[password]=«redacted»&user%5Bpin_code%5D=1"],
    ["https://example.org/?user%5Btoken%5D=secret", "https://example.org/?user%5Btoken%5D=«redacted»"],
    ["https://example.org/#access_token=secret&x=1", "https://example.org/#access_token=«redacted»&x=1"],
    ["https://example.org/#/route?sid=secret", "https://example.org/#/route?sid=«redacted»"],
    ["https://example.org/?a=1;jwt=secret", "https://example.org/?a=1;jwt=«redacted»"],
    ["wss://user:secret@example.org/s", "wss://example.org/s"],
    ["data:text/html,<b>secret</b>", "data:text/html,…"],
    ["about:blank", "about:blank"],
    ["", ""],
  ])("%s is shown as %s", (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });

  it("takes names of the caller beside its own", () => {
    expect(shownUrl("https://example.org/?Order_No=7", ["order-no"])).toBe("https://example.org/?Order_No=«redacted»");
  });

  it("never shows the value of a credential, wherever it stands", () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    const name = fc.constantFrom(...credentialNames);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 3 }), name, fc.constantFrom("?", "#"), fc.array(fc.tuple(word, word), { maxLength: 3 }), (path, credential, mark, pairs) => {
        const query = [...pairs.map(([key, value]) => `${key}=${value}`), `${credential}=XSECRETX`, "z=1"].join("&");
        const shown = shownUrl(`https://u:XSECRETX@example.org/${path.join("/")}${mark}${query}`);
        return !shown.includes("XSECRETX") && shown.endsWith("&z=1");
      }),
    );
  });

  it("takes any text without failing, and never ends in half a pair", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 6000 }), (text) => !/[\ud800-\udbff]…$/.test(shownUrl(text))));
    expect(shownUrl(`https://example.org/${"😀".repeat(4000)}`).length).toBeLessThanOrEqual(4097);
  });

  it("knows a credential's name by the same rule", () => {
    expect([isCredentialName("Api-Key"), isCredentialName("page")]).toEqual([true, false]);
  });
});

describe("origins", () => {
  it.each([
    ["https://example.org:443/a", "https://example.org"],
    ["wss://example.org/s", "https://example.org"],
    ["ws://127.0.0.1:8080/s", "http://127.0.0.1:8080"],
    ["blob:https://example.org/7f", "https://example.org"],
    ["file:///etc/hosts", "file://"],
    ["about:blank", "null"],
    ["data:text/plain,x", "null"],
    ["chrome-extension://abc/x.js", "null"],
    ["not a url", "null"],
  ])("the origin of %s is %s", (url, origin) => {
    expect(originOf(url)).toBe(origin);
  });

  it("what has no origin of its own belongs to its frame", () => {
    const policy = new OriginPolicy(["https://example.org"]);
    expect(["https://example.org/a", "wss://example.org/s", "about:srcdoc", "data:,x", ""].every((url) => policy.allowsUrl(url))).toBe(true);
    expect(["https://example.org.evil.test/", "http://example.org/", "https://example.org:444/", "file:///x", "blob:https://evil.test/1"].some((url) => policy.allowsUrl(url))).toBe(false);
    expect(hasOrigin("javascript:1")).toBe(false);
  });

  it.each(["https://example.org/", "https://*.example.org", "example.org", "https://user@example.org", "javascript:1", "https://EXAMPLE.org", "null"])("%s is no exact origin", (origin) => {
    expect(() => {
      requireOrigins([origin], "test");
    }).toThrow("exact origins");
  });
});
