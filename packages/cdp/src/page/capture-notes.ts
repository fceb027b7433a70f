import {
  coverageOf,
  omission,
  webConditions,
  webSections,
  type Omission,
  type WebCompleteness,
  type WebCondition,
  type WebSection,
} from "@rea/core";

/** What a capture has left out, and why; every section tells it here while it is read. */
export class CaptureNotes {
  readonly #conditions = new Map<WebCondition, Set<WebSection>>();
  readonly #excluded = new Map<WebSection, number>();
  readonly #dropped = new Map<WebSection, number>();
  readonly #limits = new Map<WebSection, number>();
  readonly #omissions = new Map<string, Omission>();
  readonly #unavailable = new Set<WebSection>();
  readonly #limitations = new Set<string>();

  /** An item of an origin that is not allowed; nothing of it is kept. */
  exclude(section: WebSection, items = 1): void {
    if (items === 0) return;
    add(this.#excluded, section, items);
    this.#hold("policy_filtered", section);
  }

  /** An item beyond a limit, which is told where it is one of items. */
  drop(section: WebSection, items = 1, limit?: number): void {
    if (items === 0) return;
    if (limit !== undefined) this.#limits.set(section, limit);
    add(this.#dropped, section, items);
    this.#hold("truncated", section);
  }

  /** Cut for another reason than the number of items. */
  cut(section: WebSection, left: Omission): void {
    this.#hold("truncated", section);
    this.#omit(left);
  }

  /** Could not be attached to, or does not tell what happened before. */
  attachLimited(section: WebSection, left: Omission): void {
    this.#hold("attach_limited", section);
    this.#omit(left);
  }

  /** Nothing of the section could be read. */
  missing(section: WebSection, left: Omission): void {
    this.#unavailable.add(section);
    this.#hold("truncated", section);
    this.#omit(left);
  }

  limitation(text: string): void {
    this.#limitations.add(text);
  }

  get limitations(): string[] {
    return [...this.#limitations];
  }

  state(section: WebSection): "complete" | "partial" | "unavailable" {
    if (this.#unavailable.has(section)) return "unavailable";
    return this.#holds("truncated", section) || this.#holds("attach_limited", section) ? "partial" : "complete";
  }

  dropped(section: WebSection): number {
    return this.#dropped.get(section) ?? 0;
  }

  completeness(read: readonly WebSection[]): WebCompleteness {
    for (const section of read) if (this.state(section) === "complete") this.#hold("complete_within_window", section);
    const conditions = webConditions.flatMap((condition) => {
      const held = this.#conditions.get(condition);
      return held === undefined ? [] : [{ condition, sections: webSections.filter((section) => held.has(section)) }];
    });
    return { conditions, excluded: counts(this.#excluded), dropped_events: counts(this.#dropped) };
  }

  coverage(): ReturnType<typeof coverageOf> {
    const filtered = [...this.#excluded].map(([scope, count]) => {
      return omission(scope, "filtered", { count, how_to_continue: "Name the origins in allowed_origins." });
    });
    const dropped = [...this.#dropped].map(([scope, count]) => {
      const limit = this.#limits.get(scope);
      return omission(scope, "limit_items", { count, ...(limit === undefined ? {} : { limit }), how_to_continue: "Raise the limit of this section in limits." });
    });
    const order = (left: Omission): number => webSections.findIndex((section) => section === left.scope);
    return coverageOf([...filtered, ...dropped, ...this.#omissions.values()].sort((a, b) => order(a) - order(b)));
  }

  /** Equal ones are counted together, so that a page cannot make the list long. */
  #omit(left: Omission): void {
    const key = JSON.stringify([left.scope, left.reason, left.limit, left.how_to_continue]);
    const known = this.#omissions.get(key);
    const count = known === undefined ? left.count : (known.count ?? 0) + (left.count ?? 0);
    this.#omissions.set(key, { ...left, count });
  }

  #hold(condition: WebCondition, section: WebSection): void {
    const held = this.#conditions.get(condition);
    if (held === undefined) this.#conditions.set(condition, new Set([section]));
    else held.add(section);
  }

  #holds(condition: WebCondition, section: WebSection): boolean {
    return this.#conditions.get(condition)?.has(section) === true;
  }
}

/** A list that keeps the first items and counts the others as dropped. */
export class LimitedList<T> {
  readonly items: T[] = [];
  readonly #limit: number;
  readonly #section: WebSection;
  readonly #notes: CaptureNotes;

  constructor(limit: number, section: WebSection, notes: CaptureNotes) {
    this.#limit = limit;
    this.#section = section;
    this.#notes = notes;
  }

  /** Position of the item, or undefined when there was no room for it. */
  add(item: T): number | undefined {
    if (this.items.length >= this.#limit) {
      this.#notes.drop(this.#section, 1, this.#limit);
      return undefined;
    }
    return this.items.push(item) - 1;
  }
}

function add<K>(counted: Map<K, number>, key: K, items: number): void {
  counted.set(key, (counted.get(key) ?? 0) + items);
}

function counts(counted: ReadonlyMap<WebSection, number>): WebCompleteness["excluded"] {
  return webSections.flatMap((section) => {
    const count = counted.get(section);
    return count === undefined ? [] : [{ section, count }];
  });
}
