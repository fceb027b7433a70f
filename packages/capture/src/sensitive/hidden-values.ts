import type { ProcessScenario } from "@rea/core";

/** A value that must not be recorded, and the word that stands for it. */
export interface HiddenValue {
  readonly alias: string;
  readonly bytes: Buffer;
}

/** What is shorter would be found everywhere. */
export const leastHiddenBytes = 4;

/**
 * The values a scenario hides: each secret, and each sensitive input, as a whole and line by line, because a terminal
 * echoes the end of a line in another form than it was typed in.
 */
export function hiddenValuesOf(scenario: ProcessScenario, secrets: ReadonlyMap<string, string>): readonly HiddenValue[] {
  const typed = sensitiveInputs(scenario).map((data, index) => ({ alias: `<sensitive:${String(index)}>`, text: data }));
  const given = [...secrets].map(([name, text]) => ({ alias: `<secret:${name}>`, text }));
  const values = [...given, ...typed].flatMap(({ alias, text }) =>
    [text, ...text.split(/[\r\n]+/)].map((part) => ({ alias, bytes: Buffer.from(part) })),
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
