import { bare, child, children, memberName, nameOf, propertyKey, propertyOf, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { KeptComment } from "../syntax/parse-outcome.js";
import { spanOf, type Detector, type FileView } from "./detector.js";
import { span, type HintFact } from "./fact.js";

const version = /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/u;
/** `lodash v4.17.21`, `jQuery JavaScript Library v3.7.1`, `@license Vue.js 2.7.0`, `pkg - v1.0.0`, `pkg@1.0.0` */
const named = /^(?:@license\s+|@preserve\s+)?(?:@license\s+)?(@?[A-Za-z][\w.-]*(?:\/[\w.-]+)?)(?:\s+JavaScript Library)?(?:\s*[-–:|]?\s+v?|\s*@\s*v?|\s*[-–]\s*)(\d+\.\d+\.\d+(?:[-+][\w.]+)?)\b/u;
const reactFile = /^(?:@license\s+)?React\s*$/mu;
const reactName = /^\s*\*?\s*((?:react|scheduler|use-sync-external-store)[\w-]*?)(?:-(?:client|server|jsx-runtime|jsx-dev-runtime))?(?:\.[\w-]+)*\.(?:production|development|profiling)(?:\.min)?\.js\s*$/mu;
const markers: ReadonlyMap<string, string> = new Map([
  ["react.element", "react"],
  ["react.transitional.element", "react"],
  ["react.fragment", "react"],
  ["__VUE__", "vue"],
  ["ng-version", "angular"],
  ["__SVELTEKIT_DEV__", "sveltekit"],
  ["__NEXT_DATA__", "next"],
  ["__NUXT__", "nuxt"],
  ["svelte:v", "svelte"],
  ["[MobX]", "mobx"],
  ["@@redux/INIT", "redux"],
]);

/** Libraries and tools that show themselves: licence banners, versions written into code, words only they use. */
export class Hints implements Detector {
  readonly types = ["Literal", "TemplateLiteral", "ObjectExpression", "AssignmentExpression", "Identifier"];
  readonly found: HintFact[] = [];
  readonly #view: FileView;
  readonly #seen = new Set<string>();

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode): void {
    if (node.type === "Literal" || node.type === "TemplateLiteral") this.#word(node);
    else if (node.type === "ObjectExpression") this.#renderer(node);
    else if (node.type === "Identifier") this.#name(node);
    else this.#assigned(node);
  }

  /** Licence banners name what they license. */
  comments(comments: readonly KeptComment[]): void {
    for (const { text, start, end } of comments) {
      const plain = text.replace(/^[\s*!]+/u, "");
      const found = named.exec(plain);
      const at = span(start, end);
      if (found !== null) this.add({ kind: "package", name: packageName(found[1] ?? ""), version: found[2] ?? null, basis: "licence-banner", confidence: "observed", at });
      else if (reactFile.test(plain)) {
        const name = reactName.exec(text)?.[1];
        if (name !== undefined) this.add({ kind: "package", name, version: null, basis: "licence-banner", confidence: "observed", at });
      }
    }
  }

  add(hint: HintFact): void {
    const key = `${hint.kind} ${hint.name} ${hint.version ?? ""} ${hint.basis}`;
    if (this.#seen.has(key) || !this.#view.admit()) return;
    this.#seen.add(key);
    this.found.push(hint);
  }

  #word(node: SyntaxNode): void {
    // Minifiers write strings as templates too.
    const value = stringValue(node);
    if (value === undefined || value.length > 40) return;
    const name = markers.get(value);
    if (name !== undefined) this.add({ kind: "framework", name, version: null, basis: "marker-text", confidence: "inferred", at: spanOf(node) });
    // The event that Vite's loader of chunks sends, whose own names are shortened.
    else if (value === "vite:preloadError") this.add({ kind: "bundler", name: "vite", version: null, basis: "marker-text", confidence: "inferred", at: spanOf(node) });
  }

  #name(node: SyntaxNode): void {
    const name = nameOf(node) ?? "";
    if (name === "__vite__mapDeps" || name === "__vitePreload") this.add({ kind: "bundler", name: "vite", version: null, basis: "runtime-name", confidence: "observed", at: spanOf(node) });
    else if (name === "__rolldown_runtime__") this.add({ kind: "bundler", name: "rolldown", version: null, basis: "runtime-name", confidence: "observed", at: spanOf(node) });
  }

  /** `{version: "18.2.0", rendererPackageName: "react-dom"}` */
  #renderer(node: SyntaxNode): void {
    const name = stringValue(propertyOf(node, "rendererPackageName"));
    if (name !== undefined) {
      const found = stringValue(propertyOf(node, "version"));
      this.add({ kind: "package", name, version: found !== undefined && version.test(found) ? found : null, basis: "renderer-record", confidence: "observed", at: spanOf(node) });
    }
    if (children(node, "properties").length > 12) return;
    const tag = children(node, "properties").find((one) => propertyKey(one) === "__proto__");
    if (tag !== undefined && child(tag, "value")?.["value"] === null && this.#isFrozenNamespace(node)) {
      this.add({ kind: "bundler", name: "rollup", version: null, basis: "frozen-namespace", confidence: "inferred", at: spanOf(node) });
    }
  }

  #isFrozenNamespace(node: SyntaxNode): boolean {
    return /Symbol\.toStringTag\s*,\s*\{\s*value\s*:\s*["'`]Module["'`]/u.test(this.#view.source.slice(node.end, node.end + 80));
  }

  /** `_.VERSION = "4.17.21"`, `jQuery.fn.jquery = "3.7.1"`, `n.rv = () => "1.2.3"` */
  #assigned(node: SyntaxNode): void {
    const target = child(node, "left");
    if (target?.type !== "MemberExpression") return;
    const key = memberName(target);
    const value = bare(child(node, "right"));
    if (key === "rv" && value?.type === "ArrowFunctionExpression") {
      const found = stringValue(child(value, "body"));
      if (found !== undefined && version.test(found)) this.add({ kind: "bundler", name: "rspack", version: found, basis: "runtime-version", confidence: "observed", at: spanOf(node) });
    }
    const found = stringValue(value);
    if (found === undefined || !version.test(found)) return;
    if (key === "jquery") this.add({ kind: "package", name: "jquery", version: found, basis: "version-property", confidence: "observed", at: spanOf(node) });
    const owner = nameOf(child(target, "object"));
    if ((key === "VERSION" || key === "version") && owner !== undefined && knownOwners.has(owner)) {
      this.add({ kind: "package", name: knownOwners.get(owner) ?? owner, version: found, basis: "version-property", confidence: "observed", at: spanOf(node) });
    }
  }
}

const knownOwners: ReadonlyMap<string, string> = new Map([
  ["React", "react"],
  ["ReactDOM", "react-dom"],
  ["Vue", "vue"],
  ["lodash", "lodash"],
  ["jQuery", "jquery"],
  ["Backbone", "backbone"],
  ["moment", "moment"],
  ["axios", "axios"],
  ["angular", "angular"],
  ["THREE", "three"],
]);

/** Banners write names as titles; a package's name is in small letters. */
function packageName(title: string): string {
  return title.replace(/\.(?:min\.)?js$/iu, (suffix) => (/^(?:vue|core|chart|three|knockout|backbone|underscore|d3)$/iu.test(title.slice(0, title.length - suffix.length)) ? "" : suffix)).toLowerCase();
}
