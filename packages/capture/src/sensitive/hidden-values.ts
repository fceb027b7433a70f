import type { ProcessScenario } from "@rea/core";

/** A value that must not be recorded, and the word that stands for it. */
export interface HiddenValue {
  readonly alias: string;
  readonly bytes: Buffer;
}

/** What is shorter would be found everywhere. */
export const leastHiddenBytes = 4;

/** Keys that a terminal sends as a sequence (ECMA-48: `ESC [` and `ESC O`), and single control characters. */
const notShown = /(?:\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[@-~]|[\x00-\x1f\x7f])+/;

/**
 * The values a scenario hides: each secret, and each sensitive input, as a whole and in the parts between line ends, keys
 * and control characters, because a terminal shows only those as they were typed.
 */
export function hiddenValuesOf(scenario: ProcessScenario, secrets: ReadonlyMap<string, string>): readonly HiddenValue[] {
  const typed = sensitiveInputs(scenario).map((data, index) => ({ alias: `<sensitive:${String(index)}>`, text: data }));
  const given = [...secrets].map(([name, text]) => ({ alias: `<secret:${name}>`, text }));
  const values = [...given, ...typed].flatMap(({ alias, text }) =>
    [text, ...text.split(notShown)].map((part) => ({ alias, bytes: Buffer.from(part) })),
  );
  const unique = new Map(values.map((value) => [value.bytes.toString("hex"), value]));
  return [...unique.values()].filter(({ bytes }) => bytes.length >= leastHiddenBytes);
}

function sensitiveInputs({ events, reactive }: ProcessScenario): string[] {
  const actions = reactive?.transitions.flatMap((transition) => transition.actions) ?? [];
  return [
    ...events.flatMap((event) => (event.kind === "input" && event.sensitive ? [event.data] : [])),
    ...actions.flatMap((action) => (action.kind === "send_input" && action.sensitive ? [action.data] : [])),
  ];
}
