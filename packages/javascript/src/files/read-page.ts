import { parse, type DefaultTreeAdapterMap } from "parse5";
import { span, type Span } from "../facts/fact.js";
import { readScript, type FactLimits, type ReadScript } from "../facts/read-facts.js";
import type { SemanticLimits } from "../semantics/file-semantics.js";
import { semanticsText } from "../semantics/place-semantics.js";
import { decodeText } from "../text/decode.js";
import { placeFacts, Places } from "../text/places.js";
import type { PageFacts, PageScript } from "./file-facts.js";
import type { ReadFile } from "./read-file.js";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

const scriptTypes = /^(?:|module|text\/javascript|application\/javascript|text\/ecmascript|application\/ecmascript|application\/x-javascript|text\/babel|text\/typescript)$/iu;

interface Found {
  readonly at: Span;
}

/** Scripts, policies and webviews of a page, with their exact ranges in its bytes, and what its inline scripts say. */
export async function readPage(bytes: Uint8Array, limits: FactLimits & { readonly semantics: SemanticLimits }): Promise<ReadFile<PageFacts>> {
  const decoded = decodeText(bytes);
  const { scripts, policies, webviews, base } = tellingElements(decoded.text);
  const read = await inlineFacts(decoded.text, scripts, limits);
  const inline = read?.facts ?? null;
  const places = new Places(decoded, bytes.byteLength);
  placeFacts([scripts, policies, webviews, inline], places);
  const facts: PageFacts = {
    base,
    inline,
    scripts: scripts.map(({ at, ...script }) => ({ ...script, ...at, target: script.requested === null ? null : pageTarget(script.requested, base) })),
    policies: policies.map(({ at, value }) => ({ value, ...at })),
    webviews: webviews.map(({ at, attributes }) => ({ attributes, ...at })),
  };
  return { facts, semantics: semanticsText(read?.semantics ?? null, places) };
}

interface TellingElements {
  readonly scripts: (Omit<PageScript, "start" | "end" | "line" | "column" | "content" | "target"> & Found & { readonly content: Span | null })[];
  readonly policies: ({ readonly value: string } & Found)[];
  readonly webviews: ({ readonly attributes: readonly string[] } & Found)[];
  readonly base: string | null;
}

function tellingElements(text: string): TellingElements {
  const [scripts, policies, webviews]: [TellingElements["scripts"], TellingElements["policies"], TellingElements["webviews"]] = [[], [], []];
  let base: string | null = null;
  for (const element of elementsOf(text)) {
    const at = rangeOf(element);
    if (at === undefined) continue;
    if (element.tagName === "script") {
      const script = scriptOf(element);
      if (script !== undefined) scripts.push({ ...script, at, content: script.kind === "inline" || script.kind === "import-map" ? contentOf(element) : null });
    } else if (element.tagName === "base" && base === null) base = attribute(element, "href")?.trim() ?? null;
    else if (element.tagName === "link") {
      const preload = preloadOf(element);
      if (preload !== undefined) scripts.push({ ...preload, at, content: null });
    } else if (element.tagName === "meta" && attribute(element, "http-equiv")?.toLowerCase() === "content-security-policy") {
      policies.push({ value: attribute(element, "content") ?? "", at });
    } else if (element.tagName === "webview") webviews.push({ attributes: element.attrs.map(({ name }) => name), at });
  }
  return { scripts, policies, webviews, base };
}

/** Inline scripts are read in their places, everything else blank, so that offsets stay; a fault in one costs them all. */
async function inlineFacts(text: string, scripts: readonly { readonly kind: string; readonly isModule: boolean; readonly content: Span | null }[], limits: FactLimits & { readonly semantics: SemanticLimits }): Promise<ReadScript | null> {
  const contents = scripts.flatMap(({ kind, content }) => (kind === "inline" && content !== null && content.end > content.start ? [content] : []));
  if (contents.length === 0) return null;
  let source = "";
  for (const { start, end } of contents) source += `${text.slice(source.length, start).replace(/[^\r\n]/gu, (letter) => " ".repeat(letter.length))}${text.slice(start, end)}`;
  const isModule = scripts.some((script) => script.kind === "inline" && script.isModule);
  return readScript(source, { name: isModule ? "x.mjs" : "x.js", moduleType: null }, limits);
}

/** Every element in document order, templates included; the tree may be deeper than the stack. */
function* elementsOf(text: string): Generator<Element> {
  const stack: Node[] = [parse(text, { sourceCodeLocationInfo: true })];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ("tagName" in node) yield node;
    if ("content" in node) stack.push(node.content);
    if ("childNodes" in node) for (let at = node.childNodes.length - 1; at >= 0; at -= 1) stack.push(...node.childNodes.slice(at, at + 1));
  }
}

function scriptOf(element: Element): Pick<PageScript, "kind" | "requested" | "isModule"> | undefined {
  const type = attribute(element, "type")?.trim() ?? "";
  if (/^importmap$/iu.test(type)) return { kind: "import-map", requested: null, isModule: false };
  if (!scriptTypes.test(type)) return undefined;
  const source = attribute(element, "src");
  const isModule = /^module$/iu.test(type);
  return source === undefined ? { kind: "inline", requested: null, isModule } : { kind: "external", requested: source, isModule };
}

function preloadOf(element: Element): Pick<PageScript, "kind" | "requested" | "isModule"> | undefined {
  const rel = attribute(element, "rel")?.toLowerCase() ?? "";
  const href = attribute(element, "href");
  const isScript = rel === "modulepreload" || (rel === "preload" && attribute(element, "as") === "script");
  return isScript && href !== undefined ? { kind: "preload", requested: href, isModule: rel === "modulepreload" } : undefined;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

function rangeOf({ sourceCodeLocation: place }: Element): Span | undefined {
  if (place === undefined || place === null) return undefined;
  return span(place.startOffset, place.endOffset);
}

function contentOf(element: Element): Span | null {
  const place = element.sourceCodeLocation;
  const [start, end] = [place?.startTag?.endOffset, place?.endTag?.startOffset];
  return start === undefined || end === undefined ? null : span(start, end);
}

/**
 * Where an address of a page leads inside the application: relative to the page's directory, or from the root with a leading
 * `/`. White space around it is not part of it, `\\` is `/`, percent-encoding is decoded. Null for other hosts.
 */
export function pageTarget(requested: string, base: string | null): string | null {
  const value = addressPath(requested);
  if (value === null || value === "") return null;
  if (value.startsWith("/") || base === null) return value;
  const root = addressPath(base);
  return root === null ? null : root.slice(0, root.lastIndexOf("/") + 1) + value;
}

function addressPath(address: string): string | null {
  const value = address.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/gu, "").replace(/[\t\n\r]/gu, "").replaceAll("\\", "/");
  const isOwn = /^file:\/{3}|^(?:app|atom):\/\/(?:\.|-|localhost|bundle|renderer)\//iu.exec(value);
  if (isOwn === null && /^(?:[a-z][\w+.-]*:|\/\/)/iu.test(value)) return null;
  const path = (isOwn === null ? value : `/${value.slice(isOwn[0].length)}`).replace(/[?#].*$/su, "");
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign stands for itself.
    return path;
  }
}
