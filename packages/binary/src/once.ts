/** Computes on the first call and hands out the same value afterwards. */
export function once<T>(compute: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: compute() };
    return made.value;
  };
}
