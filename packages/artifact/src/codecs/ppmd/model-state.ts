import type { ContextMemory } from "./context-memory.js";

/** What of a PPMd model changes from symbol to symbol. */
export interface ModelState {
  readonly memory: ContextMemory;
  /** How far the present context is below the longest possible. */
  orderFall: number;
  /** First frequency of an escape in contexts that grow from one of one symbol. */
  firstEscape: number;
  /** The context that gave the last symbol, and the longest that fits. */
  shortest: number;
  longest: number;
  /** State of the symbol decoded last. */
  found: number;
}
