const numbers = new Map<string, number>();

/** A small number for a type of node, of this thread only: tables by type are arrays. */
export function kindOf(type: string): number {
  const known = numbers.get(type);
  if (known !== undefined) return known;
  const number = numbers.size;
  // Types come from parsers, whose lists are finite; what else comes shares a number that no table names.
  if (number >= mostKinds) return mostKinds;
  numbers.set(type, number);
  return number;
}

const mostKinds = 1024;

/** Whether a number is that of one of these types. */
export function kindTable(types: Iterable<string>): readonly boolean[] {
  const table: boolean[] = [];
  for (const type of types) {
    const kind = kindOf(type);
    while (table.length < kind) table.push(false);
    table[kind] = true;
  }
  return table;
}
