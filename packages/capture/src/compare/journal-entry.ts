import type { JournalEntry, ProcessCapture } from "@rea/core";

/** What an entry of the journal names; undefined when the capture has no such thing. */
export function entryOf(capture: ProcessCapture, { collection, index }: JournalEntry): object | undefined {
  switch (collection) {
    case "exit":
    case "settlement":
      return index === 0 ? capture[collection] : undefined;
    case "reactive_run":
      return capture.reactive_run?.records[index];
    default:
      return capture[collection][index];
  }
}
