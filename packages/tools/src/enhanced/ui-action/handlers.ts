import { dispatchPage, type CapabilityPorts, type Confidence, type DispatchData, type DispatchItem, type Omission, type OperationResult } from "@rea/core";
import type { ToolContext } from "@rea/tool";
import type { Budget } from "../../composed/budget.js";
import type { Composition } from "../../composed/composition.js";
import { symbolMetadata } from "../symbol-metadata.js";
import { sameClass } from "./class-name.js";

export interface Method {
  /** `-[Class selector]`. */
  readonly name: string;
  readonly owner: string;
  readonly implementation: string;
  readonly confidence: Confidence;
}

export interface Handled {
  readonly methods: readonly { readonly method: Method; readonly basis: string; readonly confidence: Confidence }[];
  /** Why another method may run instead; null when the metadata settles it. */
  readonly unknown: { readonly reason: string; readonly basis: string } | null;
}

export interface HandlerQuestion {
  readonly composition: Composition;
  readonly ports: Pick<CapabilityPorts, "inspect_native_dispatch_metadata" | "get_objc_classes" | "list_names">;
  readonly context: ToolContext;
  readonly budget: Budget;
}

type Page = OperationResult<"inspect_native_dispatch_metadata">;

const pageItems = 500;
const mostSuperclasses = 20;
const mostProtocols = 10;

/** What the runtime metadata of the program says about who implements a selector. */
export class Handlers {
  readonly omissions: Omission[] = [];
  readonly #question: HandlerQuestion;
  readonly #known = new Map<string, readonly DispatchItem[]>();
  #symbols: DispatchData | undefined;

  constructor(question: HandlerQuestion) {
    this.#question = question;
  }

  /** Instance methods with code of the program that have exactly this selector. */
  async methodsNamed(selector: string): Promise<readonly Method[]> {
    return (await this.#items(selector)).flatMap(methodOf).filter(({ name }) => selectorOf(name) === selector);
  }

  /** Places in the data of the program through which code sends exactly this selector. */
  async referencesTo(selector: string): Promise<readonly string[]> {
    return (await this.#items(selector)).flatMap(({ kind, name, address }) =>
      kind === "objc_selector_reference" && name === selector && address !== null ? [address] : [],
    );
  }

  /** The method that an object of this class runs, as far as the file tells: its own, or that of the nearest superclass. */
  async ofClass(className: string, selector: string): Promise<Handled> {
    const all = await this.methodsNamed(selector);
    let current = className;
    for (let level = 0; level < mostSuperclasses; level += 1) {
      const own = all.filter(({ owner }) => sameClass(owner, current));
      if (own.length > 0) return settled(own, level === 0);
      const found = await this.#classNamed(current);
      if (found === undefined || found.imported) return leaving(level === 0);
      if (found.superclass === null) return { methods: [], unknown: { reason: "not_implemented", basis: "No class up to the root of the metadata implements the selector." } };
      current = found.superclass;
    }
    return { methods: [], unknown: { reason: "chain_too_long", basis: "There are more superclasses than are followed." } };
  }

  /** Every class that could answer, where the receiver is not known. */
  async candidates(selector: string, unknown: { readonly reason: string; readonly basis: string }): Promise<Handled> {
    const methods = await this.methodsNamed(selector);
    const basis = "The class implements the selector; whether it receives the message is not proven.";
    return { methods: methods.map((method) => ({ method, basis, confidence: "inferred" as const })), unknown };
  }

  /** Methods of a class that the protocols it adopts declare. */
  async adoptedMethods(className: string): Promise<readonly { readonly selector: string; readonly method: Method }[]> {
    const found = await this.#classNamed(className);
    if (found === undefined) return [];
    const declared = new Set<string>();
    for (const protocol of found.protocols.slice(0, mostProtocols)) {
      for (const { kind, owner, name } of await this.#items(protocol)) {
        if (kind === "objc_method" && owner === protocol) declared.add(selectorOf(name));
      }
    }
    const own = (await this.#items(className)).flatMap(methodOf).filter(({ owner }) => sameClass(owner, className));
    return own.map((method) => ({ selector: selectorOf(method.name), method })).filter(({ selector }) => declared.has(selector));
  }

  async #classNamed(name: string): Promise<OperationResult<"get_objc_classes">["items"][number] | undefined> {
    const { composition, ports, context, budget } = this.#question;
    if (!context.offers("get_objc_classes") || !budget.take()) return undefined;
    const page = await composition.attempt(() => ports.get_objc_classes({ pattern: name.slice(0, 256), offset: 0, limit: pageItems }, context));
    return page.ok ? page.value.items.find((item) => sameClass(item.name, name)) : undefined;
  }

  async #items(selector: string): Promise<readonly DispatchItem[]> {
    const known = this.#known.get(selector);
    if (known !== undefined) return known;
    const items: DispatchItem[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Page | undefined = await this.#page(selector, offset);
      if (page === undefined) break;
      items.push(...page.items);
      this.omissions.push(...page.coverage.omissions);
      offset = page.next_offset;
    }
    this.#known.set(selector, items);
    return items;
  }

  async #page(selector: string, offset: number): Promise<Page | undefined> {
    const { composition, ports, context, budget } = this.#question;
    const params = { pattern: selector.slice(0, 256), offset, limit: pageItems };
    if (!context.offers("inspect_native_dispatch_metadata")) {
      this.#symbols ??= await symbolMetadata(composition, ports, context);
      return dispatchPage(this.#symbols, params);
    }
    if (!budget.take()) return undefined;
    return composition.ask(() => ports.inspect_native_dispatch_metadata(params, context));
  }
}

/** An instance method with code in this program. */
function methodOf({ kind, name, owner, implementation, basis }: DispatchItem): Method[] {
  if (kind !== "objc_method" || owner === null || implementation === null || !name.startsWith("-[")) return [];
  return [{ name, owner: owner.replace(/\(.*$/, ""), implementation, confidence: basis === "metadata" ? "derived" : "inferred" }];
}

/** `pay:` of `-[Desk pay:]`. */
function selectorOf(name: string): string {
  return name.slice(name.lastIndexOf(" ") + 1, -1);
}

function settled(methods: readonly Method[], own: boolean): Handled {
  const basis = own ? "The receiver's class implements the selector." : "The nearest superclass that implements the selector.";
  // A class and its categories may all implement it; which one stays is decided when they are loaded.
  const several = methods.length > 1;
  return {
    methods: methods.map((method) => ({ method, basis, confidence: several ? ("inferred" as const) : method.confidence })),
    unknown: several ? { reason: "several_implementations", basis: "Class and categories implement it; the order of loading decides." } : null,
  };
}

function leaving(own: boolean): Handled {
  return {
    methods: [],
    unknown: own
      ? { reason: "class_not_in_file", basis: "The receiver's class is not defined in this program; a framework handles the message." }
      : { reason: "superclass_not_in_file", basis: "The class does not implement the selector, and its superclass is not defined in this program." },
  };
}
