import type { ReaderInput } from "../../format.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";

const pieceBytes = 1 << 18;

/** Reads to the end and reports what is there behind `what` ("the archive"), if anything. */
export async function leftover(reader: SequentialReader, input: ReaderInput, what: string): Promise<void> {
  const offset = reader.position;
  let zeros = true;
  for (;;) {
    input.signal.throwIfAborted();
    const bytes = await reader.some(pieceBytes);
    if (bytes.byteLength === 0) break;
    zeros &&= bytes.every((byte) => byte === 0);
  }
  const count = reader.position - offset;
  if (count === 0) return;
  input.report.anomaly({
    anomaly: "trailing_data",
    offset,
    detail: `${String(count)} ${zeros ? "zero " : ""}bytes follow the end of ${what}.`,
    effect: "Readers that stop at that end do not see these bytes.",
  });
}
