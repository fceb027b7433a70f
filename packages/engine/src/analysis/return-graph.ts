import type { PendingCall } from "./behind-calls.js";
import { NumberList } from "./number-list.js";
import type { WorkBounds } from "./work-bounds.js";

/** Told when a call whose callee turned out to return can go on behind the call. */
export type Continue = (continuation: number, caller: number, callSite: number) => void;

/**
 * Which straight runs of code can reach a return. A run returns when it ends in one, when a run it jumps to returns, or
 * when code behind one of its calls returns, which counts only once the callee does: the least solution, so functions
 * that only ever call each other or `exit` never return, in whatever order code is found.
 */
export class ReturnGraph {
  readonly #returns: number[] = [];
  /** For each run, the last of its dependents, chained through `#previous`. */
  readonly #lastDependent = new NumberList();
  readonly #previous = new NumberList();
  readonly #dependent = new NumberList();
  /** -1 where the dependent returns as soon as the run does, else where the dependent's code goes on after its call. */
  readonly #continuation = new NumberList();
  readonly #callSite = new NumberList();
  readonly #ready: number[] = [];

  /** Adds a run and gives its number. */
  addRun(): number {
    this.#lastDependent.push(-1);
    return this.#returns.push(0) - 1;
  }

  returns(run: number): boolean {
    return this.#returns[run] === 1;
  }

  markReturns(run: number): void {
    if (this.#returns[run] === 1) return;
    this.#returns[run] = 1;
    this.#ready.push(run);
  }

  /** `dependent` returns if `run` does. */
  follow(run: number, dependent: number): void {
    if (this.returns(run)) this.markReturns(dependent);
    else if (run !== dependent) this.#link(run, dependent, -1, -1);
  }

  /** The code of `caller` goes on at `continuation` if `callee` returns; only for callees not known to. */
  awaitReturn(callee: number, caller: number, continuation: number, callSite: number): void {
    this.#link(callee, caller, continuation, callSite);
  }

  /** Spreads what is known; false when nothing was waiting. */
  settle(proceed: Continue): boolean {
    const some = this.#ready.length > 0;
    for (let run = this.#ready.pop(); run !== undefined; run = this.#ready.pop()) {
      for (let link = this.#lastDependent.get(run); link >= 0; link = this.#previous.get(link)) {
        const continuation = this.#continuation.get(link);
        const dependent = this.#dependent.get(link);
        if (continuation < 0) this.markReturns(dependent);
        else proceed(continuation, dependent, this.#callSite.get(link));
      }
      this.#lastDependent.set(run, -1);
    }
    return some;
  }

  /** Calls whose callee is still not known to come back. */
  pendingCalls(bounds: WorkBounds): PendingCall[] {
    const pending: PendingCall[] = [];
    for (let callee = 0; callee < this.#returns.length; callee += 1) {
      bounds.worked(1);
      for (let link = this.#lastDependent.get(callee); link >= 0; link = this.#previous.get(link)) {
        const continuation = this.#continuation.get(link);
        if (continuation >= 0) pending.push({ callee, continuation });
      }
    }
    return pending;
  }

  #link(run: number, dependent: number, continuation: number, callSite: number): void {
    const link = this.#dependent.length;
    this.#dependent.push(dependent);
    this.#continuation.push(continuation);
    this.#callSite.push(callSite);
    this.#previous.push(this.#lastDependent.get(run));
    this.#lastDependent.set(run, link);
  }
}
