/** Long names of System V and GNU archives: one table, ended by "/\n" or, from Windows, by NUL. */
export class ArNames {
  #table: Buffer = Buffer.alloc(0);

  set(table: Uint8Array): void {
    this.#table = Buffer.from(table);
  }

  /** The name of a header's field; undefined when it refers to nothing. Blanks at the end were taken off. */
  resolve(field: string): Uint8Array | undefined {
    // GNU ar leaves a slash at the field's end behind some references.
    const reference = /^\/(\d+) *\/?$/.exec(field)?.[1];
    if (reference !== undefined) return this.#at(Number(reference));
    // System V ends names with a slash so that they may end in blanks.
    return Buffer.from(field.length > 1 && field.endsWith("/") && !field.startsWith("/") ? field.slice(0, -1) : field, "latin1");
  }

  #at(offset: number): Uint8Array | undefined {
    if (offset >= this.#table.byteLength) return undefined;
    const rest = this.#table.subarray(offset);
    const end = rest.findIndex((byte) => byte === 0x0a || byte === 0);
    const name = end < 0 ? rest : rest.subarray(0, end);
    return name.at(-1) === 0x2f ? name.subarray(0, -1) : name;
  }
}
