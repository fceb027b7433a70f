import { ReaError } from "@rea/core";

interface PageLike<T> {
  readonly items: readonly T[];
  readonly next_offset: number | null;
  readonly has_more: boolean;
}

/**
 * Walks the pages of a list until `read` answers undefined or the list ends. `visit` sees every page.
 * A page that promises more without moving on is an answer off contract.
 */
export async function walkPages<T, P extends PageLike<T> = PageLike<T>>(
  operation: string,
  read: (offset: number) => Promise<P | undefined>,
  visit: (page: P) => void,
): Promise<"end" | "stopped"> {
  let offset = 0;
  for (;;) {
    const page = await read(offset);
    if (page === undefined) return "stopped";
    visit(page);
    const next = page.next_offset;
    if (!page.has_more || next === null) return "end";
    if (next <= offset) throw stuck(operation);
    offset = next;
  }
}

function stuck(operation: string): ReaError {
  return new ReaError("unreadable_output", {
    message: `A page of ${operation} points back at itself. Report the operation named in details.`,
    details: { operation },
  });
}
