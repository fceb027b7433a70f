/** Time as the kit sees it; tests pass their own. */
export interface EngineClock {
  /** Milliseconds; never goes back. */
  now(): number;
  /** Calls `act` once after `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, act: () => void): () => void;
}

export const longestDelayMs = 2_147_483_647;

export const hostClock: EngineClock = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(ms, longestDelayMs));
    return () => clearTimeout(timer);
  },
};
