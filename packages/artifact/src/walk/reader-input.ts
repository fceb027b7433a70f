import type { EntryName, OpenedSource, ReaderInput } from "../format.js";
import type { ArtifactLimits } from "../limits.js";
import type { ContainerScope } from "./container-scope.js";
import type { Findings } from "./findings.js";
import type { Place } from "./place.js";

export interface ReaderPlace {
  readonly signal: AbortSignal;
  readonly limits: ArtifactLimits;
  readonly openBeside: (containerPath: string, path: string) => OpenedSource | undefined;
  /** Where everything the reader tells goes. */
  readonly findings: Findings;
  readonly place: Place;
  readonly scope: ContainerScope;
}

/** What the reader of a container at a place is given. */
export function readerInput({ signal, limits, openBeside, findings, place, scope }: ReaderPlace): ReaderInput {
  const { logicalPath } = place;
  const pathOf = (name: EntryName | undefined): string => (name === undefined ? logicalPath : scope.pathOf(name));
  return {
    signal,
    limits,
    containerName: place.segment,
    openBeside: (path) => openBeside(logicalPath, path),
    report: {
      anomaly: ({ name, ...found }) => {
        findings.anomalies.push({ ...found, logical_path: pathOf(name) });
      },
      part: (found) => findings.parts.push({ ...found, logical_path: logicalPath }),
      omission: (left) => findings.omissions.push(left),
      manifest: ({ name, ...found }) => findings.manifests.push({ ...found, logical_path: pathOf(name), container: place }),
      signature: ({ name, ...found }) => {
        findings.signature({ ...found, logical_path: pathOf(name) });
      },
      contradiction: (found) => {
        findings.containerContradicted(place, found);
      },
    },
  };
}
