import { z } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import type { TargetSession } from "../protocol/target-session.js";
import { pageLibrary } from "./page-library.js";

const made = z.looseObject({ executionContextId: z.int() });
const evaluated = z.looseObject({ result: z.looseObject({ value: z.unknown().optional(), objectId: z.string().optional() }), exceptionDetails: z.looseObject({}).optional() });

/** The document went away while it was asked; whoever waits asks the next one. */
export class WorldGone extends Error {}

/** An element of the page, held for the world. */
export interface HeldElement {
  readonly objectId: string;
}

const objectGroup = "rea";

/** A world of our own in a frame, made anew for each document. */
export class IsolatedWorld {
  readonly #session: TargetSession;
  readonly #frameId: string;
  #context: number | null = null;

  constructor(session: TargetSession, frameId: string) {
    this.#session = session;
    this.#frameId = frameId;
  }

  /** The frame has another document now. */
  forget(): void {
    this.#context = null;
  }

  /** Calls a function of the library with values and elements, and reads what it gives. Throws `WorldGone`. */
  async call<T extends z.ZodType>(name: string, given: readonly (HeldElement | string | number | boolean | readonly string[])[], answer: T): Promise<z.output<T>> {
    const { result } = await this.#run(name, given, true);
    const read = answer.safeParse(result.value);
    if (!read.success) throw new WorldGone();
    return read.data;
  }

  /** Calls a function of the library that gives an element; null when it gives none. */
  async element(name: string): Promise<HeldElement | null> {
    const { result } = await this.#run(name, [], false);
    return result.objectId === undefined ? null : { objectId: result.objectId };
  }

  /** The document itself, for questions to the browser about it. */
  async document(): Promise<HeldElement> {
    const contextId = await this.#ready();
    const { result } = await this.#ask("Runtime.evaluate", { expression: "document", contextId, objectGroup, silent: true });
    if (result.objectId === undefined) throw new WorldGone();
    return { objectId: result.objectId };
  }

  /** An element that the browser knows by its number, held in this world. */
  async resolve(backendNodeId: number): Promise<HeldElement> {
    const executionContextId = await this.#ready();
    const found = await this.#guarded(() => this.#session.command("DOM.resolveNode", { backendNodeId, executionContextId, objectGroup }, z.looseObject({ object: z.looseObject({ objectId: z.string() }) })));
    return { objectId: found.object.objectId };
  }

  /** Lets go of the elements that were held. */
  async release(): Promise<void> {
    await this.#session.tell("Runtime.releaseObjectGroup", { objectGroup }).catch(() => undefined);
  }

  async #run(name: string, given: readonly (HeldElement | string | number | boolean | readonly string[])[], returnByValue: boolean): Promise<z.output<typeof evaluated>> {
    const executionContextId = await this.#ready();
    return this.#ask("Runtime.callFunctionOn", {
      functionDeclaration: `function(...given) { return globalThis.rea.${name}(...given); }`,
      executionContextId,
      arguments: given.map((value) => (typeof value === "object" && "objectId" in value ? value : { value })),
      returnByValue,
      objectGroup,
      silent: true,
    });
  }

  async #ready(): Promise<number> {
    if (this.#context !== null) return this.#context;
    const { executionContextId: contextId } = await this.#guarded(() => this.#session.command("Page.createIsolatedWorld", { frameId: this.#frameId, worldName: "rea" }, made));
    await this.#ask("Runtime.evaluate", { expression: pageLibrary, contextId, silent: true });
    this.#context = contextId;
    return contextId;
  }

  async #ask(method: string, params: object): Promise<z.output<typeof evaluated>> {
    const found = await this.#guarded(() => this.#session.command(method, params, evaluated));
    if (found.exceptionDetails !== undefined) throw new WorldGone();
    return found;
  }

  async #guarded<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      this.#context = null;
      throw error instanceof CommandRefused ? new WorldGone() : error;
    }
  }
}
