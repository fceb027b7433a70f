import type { ElectronScenarioCapture, ElectronScenarioSummary, RetainedWhole } from "@rea/core";
import { countedWords, excerptOf } from "../page/excerpt.js";

const room = { events: { bytes: 8000, most: 40 }, blocked: { bytes: 4000, most: 20 } } as const;

/** What a caller reads first: actions and windows, the first events, what was kept from happening, and the channels. */
export function summarizeElectron(capture: ElectronScenarioCapture, whole: Pick<RetainedWhole, "sha256" | "bytes">): ElectronScenarioSummary {
  const { events, scenario: _, ...rest } = capture;
  return {
    ...rest,
    capture: { sha256: whole.sha256, bytes: whole.bytes },
    events: excerptOf(events, room.events),
    event_counts: countedWords(events.map(({ kind }) => kind), 16).map(({ name, count }) => ({ kind: name, count })),
    blocked_effects: excerptOf(events.filter(({ blocked }) => blocked), room.blocked),
    ipc_channels: countedWords(events.flatMap(({ kind, name }) => (kind === "ipc" && name !== null ? [name] : [])), 40),
  };
}
