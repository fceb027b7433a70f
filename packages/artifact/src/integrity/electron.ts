import type { SignatureResult } from "@rea/binary";
import type { Occurrence } from "../graph/graph.js";

/** Whether Electron would open an archive, by the switches in its program and the hashes that are declared. */
export interface ElectronVerdict {
  /** The archive. */
  readonly logical_path: string;
  /** The program with the switches; null when none was found. */
  readonly program: string | null;
  /** `would_refuse`: Electron ends when it opens or reads the archive. `not_enforced`: it would not notice. */
  readonly verdict: "would_load" | "would_refuse" | "not_enforced" | "unknown";
  /** A sentence of ours. */
  readonly reason: string;
  readonly fuses: readonly { readonly name: string; readonly state: string }[];
}

export interface ElectronFacts {
  readonly occurrences: readonly Occurrence[];
  readonly programs: readonly { readonly path: string; readonly found: SignatureResult }[];
  /** Archives whose header hash is declared. */
  readonly declared: ReadonlySet<string>;
  /** Places whose header is not the declared one. */
  readonly headersBroken: ReadonlySet<string>;
  /** Places whose bytes are not those the archive declares. */
  readonly membersBroken: readonly string[];
}

const validation = "EnableEmbeddedAsarIntegrityValidation";

/** One verdict for each archive of the graph. */
export function electronVerdicts(facts: ElectronFacts): readonly ElectronVerdict[] {
  return facts.occurrences.filter(({ artifact_format }) => artifact_format === "asar").map(({ logical_path }) => verdictOf(logical_path, facts));
}

function verdictOf(path: string, { programs, declared, headersBroken, membersBroken }: ElectronFacts): ElectronVerdict {
  const program = programs.find(({ path: other, found }) => found.electron_fuses.length > 0 && belongs(path, other));
  const wires = program?.found.electron_fuses ?? [];
  const fuses = wires[0]?.fuses ?? [];
  const at = { logical_path: path, program: program?.path ?? null, fuses: fuses.map((fuse) => ({ ...fuse })) };
  if (program === undefined) return { ...at, verdict: "unknown", reason: "No program with Electron's fuses was found that belongs to the archive." };
  const enforced = wires.every((wire) => wire.fuses.find(({ name }) => name === validation)?.state === "enabled");
  const broken = headersBroken.has(path) ? "its header is not the one that is declared" : membersBroken.some((one) => one.startsWith(`${path}!/`)) ? "files in it are not those that its header declares" : undefined;
  if (!enforced) return { ...at, verdict: "not_enforced", reason: `The fuse ${validation} is not enabled: Electron loads the archive ${broken === undefined ? "whatever it is" : `although ${broken}`}.` };
  if (program.found.format === "elf") return { ...at, verdict: "not_enforced", reason: "The fuse is enabled, and Electron does not check archives on Linux." };
  if (broken !== undefined) return { ...at, verdict: "would_refuse", reason: `The fuse ${validation} is enabled and ${broken}: Electron would refuse this archive.` };
  if (!declared.has(path)) return { ...at, verdict: "would_refuse", reason: `The fuse ${validation} is enabled and no hash is declared for the archive: Electron would refuse it.` };
  return { ...at, verdict: "would_load", reason: "The fuse is enabled, and header and files have the declared hashes." };
}

/** An archive in `Contents/Resources` belongs to the programs of its bundle, one in `resources` to those beside it. */
function belongs(archive: string, program: string): boolean {
  const bundle = /^(.*?)Contents\/Resources\/[^/]+$/u.exec(archive)?.[1];
  if (bundle !== undefined) return program.startsWith(`${bundle}Contents/`);
  const directory = /^(.*?)resources\/[^/]+$/iu.exec(archive)?.[1];
  return directory !== undefined && program.startsWith(directory) && !program.slice(directory.length).includes("/");
}
