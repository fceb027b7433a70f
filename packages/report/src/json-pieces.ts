/** A member of a JSON object: a value, a list that is written item by item, or pieces that are JSON already. */
export type Member = { readonly value: unknown } | { readonly items: Iterable<unknown> } | { readonly pieces: Iterable<string> };

/**
 * A JSON object in pieces, so that a document of a million members never stands in memory as one text. A member whose value
 * is undefined is left out.
 */
export function* jsonObjectPieces(members: readonly (readonly [string, Member])[]): Generator<string> {
  yield "{";
  let first = true;
  for (const [name, member] of members) {
    if ("value" in member && member.value === undefined) continue;
    yield `${first ? "" : ","}${JSON.stringify(name)}:`;
    first = false;
    if ("value" in member) yield JSON.stringify(member.value);
    else if ("pieces" in member) yield* member.pieces;
    else yield* listPieces(member.items);
  }
  yield "}";
}

function* listPieces(items: Iterable<unknown>): Generator<string> {
  let separator = "[";
  for (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}
