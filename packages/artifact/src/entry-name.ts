/** A member's name as the container holds it. */
export interface EntryName {
  readonly bytes: Uint8Array;
  /** Decoded; undefined when the bytes are not valid in the encoding the container declares. */
  readonly text: string | undefined;
  /** The name as it is stored, where a rule of the format turns it into another text. */
  readonly stored?: string;
}
