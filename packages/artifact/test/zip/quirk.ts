import { expect } from "vitest";
import { zipFormats } from "../../src/formats/zip/index.js";
import { kindsOf, readContainer, statesOf } from "../read-container.js";

/** An odd archive and what is to be said of it. */
export interface Quirk {
  readonly title: string;
  readonly archive: () => Uint8Array;
  /** `name=state` of each member in order. */
  readonly members: readonly string[];
  /** Kinds of anomalies, sorted. */
  readonly anomalies: readonly string[];
  /** Reasons of omissions, in order. */
  readonly omissions?: readonly string[];
  readonly parts?: readonly string[];
}

export async function expectQuirk(quirk: Quirk): Promise<void> {
  const found = await readContainer(zipFormats[0], quirk.archive());
  expect({
    members: statesOf(found),
    anomalies: kindsOf(found),
    omissions: found.omissions.map(({ reason }) => reason),
    parts: found.parts.map(({ part }) => part),
  }).toEqual({
    members: quirk.members,
    anomalies: quirk.anomalies,
    omissions: quirk.omissions ?? [],
    parts: quirk.parts ?? [],
  });
}
