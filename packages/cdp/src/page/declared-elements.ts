/** Something a document says about itself in an element; `url` where the value leads somewhere. */
export interface Declared {
  readonly name: string;
  readonly value: string;
  readonly url: string | null;
}

const metaNames = new Set(["application-name", "generator", "referrer", "color-scheme", "robots", "next-head-count"]);
const httpEquivalents = new Set(["content-security-policy", "content-security-policy-report-only", "origin-trial"]);
const linkRelations = new Set(["canonical", "manifest", "modulepreload", "preconnect", "preload", "dns-prefetch"]);
/** Attributes by which frameworks mark the document they run. */
const frameworkAttributes = ["ng-version", "data-reactroot", "data-v-app", "data-server-rendered", "data-sveltekit-preload-data", "data-n-head"];

/** What an element declares, if it is one of those that are kept. */
export function declaredElement(element: string, attributes: ReadonlyMap<string, string>, base: string): Declared | undefined {
  const tag = element.toLowerCase();
  if (tag === "meta") return declaredMeta(attributes);
  if (tag === "link") return declaredLink(attributes, base);
  const mark = frameworkAttributes.find((name) => attributes.has(name));
  return mark === undefined ? undefined : { name: `attribute:${mark}`, value: attributes.get(mark) ?? "", url: null };
}

function declaredMeta(attributes: ReadonlyMap<string, string>): Declared | undefined {
  const value = attributes.get("content") ?? "";
  const name = attributes.get("name")?.toLowerCase();
  if (name !== undefined && metaNames.has(name)) return { name: `meta:${name}`, value, url: null };
  const header = attributes.get("http-equiv")?.toLowerCase();
  return header !== undefined && httpEquivalents.has(header) ? { name: `meta:${header}`, value, url: null } : undefined;
}

function declaredLink(attributes: ReadonlyMap<string, string>, base: string): Declared | undefined {
  const relation = attributes.get("rel")?.toLowerCase().split(/\s+/).find((word) => linkRelations.has(word));
  const given = attributes.get("href");
  if (relation === undefined || given === undefined || !URL.canParse(given, base)) return undefined;
  const url = new URL(given, base).href;
  return { name: `link:${relation}`, value: url, url };
}
