import type { ProcessCapture } from "@rea/core";

/** A capture's terminal as an asciicast (version 2, https://docs.asciinema.org/manual/asciicast/v2/), line by line. */
export function* asciicast({ manifest, frames, interaction_events: interactions }: ProcessCapture): Generator<string> {
  const { columns, rows } = manifest.comparison_contract.terminal;
  const timestamp = Math.floor(Date.parse(manifest.started_at) / 1000);
  yield `${JSON.stringify({ version: 2, width: columns, height: rows, timestamp, title: manifest.executable.name })}\n`;
  const decoder = new TextDecoder();
  const resizes = interactions.filter(({ kind, outcome }) => kind === "resize" && outcome === "dispatched");
  const events = [
    ...frames.map(({ at_ms, data_base64 }) => ({ at_ms, kind: "o", data: Buffer.from(data_base64, "base64") })),
    ...resizes.map(({ at_ms, columns: width, rows: height }) => ({ at_ms, kind: "r", data: `${String(width)}x${String(height)}` })),
  ].sort((a, b) => a.at_ms - b.at_ms);
  for (const { at_ms, kind, data } of events) {
    // A character may be cut between two frames.
    const text = typeof data === "string" ? data : decoder.decode(data, { stream: true });
    if (text !== "") yield `${JSON.stringify([at_ms / 1000, kind, text])}\n`;
  }
}
