/** Thrown inside the demanglers when a name is not understood or asks for more work than its size allows. */
class Refusal extends Error {}

/** Ends demangling: the name stays as it is. */
export function refuse(): never {
  throw new Refusal();
}

/** Runs a demangler; a refusal is undefined. */
export function unlessRefused(demangle: () => string): string | undefined {
  try {
    return demangle();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
