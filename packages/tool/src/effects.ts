/** The eight audited effects; they cover every supported input, not the typical one. */
export interface ToolEffects {
  readonly mutates_target: boolean;
  readonly mutates_session: boolean;
  readonly writes_filesystem: boolean;
  readonly launches_process: boolean;
  readonly accesses_network: boolean;
  readonly changes_ui_state: boolean;
  readonly may_discard_data: boolean;
  readonly idempotent: boolean;
}

/** MCP hints, always derived, never written by hand. */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Title from the name's words: `find_xrefs_to_name` → `Find xrefs to name`. */
export function titleOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Contract 02 §3. */
export function annotationsOf(name: string, effects: ToolEffects): ToolAnnotations {
  const acts =
    effects.mutates_target ||
    effects.mutates_session ||
    effects.writes_filesystem ||
    effects.launches_process ||
    effects.accesses_network ||
    effects.changes_ui_state ||
    effects.may_discard_data;
  return {
    title: titleOf(name),
    readOnlyHint: !acts,
    destructiveHint: effects.may_discard_data,
    idempotentHint: effects.idempotent,
    openWorldHint: effects.launches_process || effects.accesses_network,
  };
}

const none: ToolEffects = {
  mutates_target: false,
  mutates_session: false,
  writes_filesystem: false,
  launches_process: false,
  accesses_network: false,
  changes_ui_state: false,
  may_discard_data: false,
  idempotent: true,
};

/** The effect classes of contract 02 §3 that tools pick from. */
export const effectClasses = {
  pure: none,
  evidence: { ...none, mutates_session: true },
  engineEvidence: { ...none, mutates_session: true, launches_process: true },
  registryWrite: { ...none, mutates_session: true, idempotent: false },
  annotationWrite: { ...none, mutates_session: true, launches_process: true, writes_filesystem: true },
  annotationRemoval: {
    ...none,
    mutates_session: true,
    launches_process: true,
    writes_filesystem: true,
    may_discard_data: true,
  },
  navigation: { ...none, mutates_session: true, launches_process: true, changes_ui_state: true },
  extraction: { ...none, mutates_session: true, writes_filesystem: true, launches_process: true, idempotent: false },
  processScenario: {
    ...none,
    mutates_target: true,
    mutates_session: true,
    writes_filesystem: true,
    launches_process: true,
    accesses_network: true,
    may_discard_data: true,
    idempotent: false,
  },
  open: { ...none, mutates_session: true },
  close: { ...none, mutates_session: true, writes_filesystem: true, may_discard_data: true, idempotent: false },
  bundleExport: { ...none, writes_filesystem: true, may_discard_data: true },
  bundleImport: { ...none, mutates_session: true },
  anyTool: {
    mutates_target: true,
    mutates_session: true,
    writes_filesystem: true,
    launches_process: true,
    accesses_network: true,
    changes_ui_state: true,
    may_discard_data: true,
    idempotent: false,
  },
  jobEnd: { ...none, mutates_session: true },
  /** Looks at what runs, over a socket to this host; what it does to the target is undone when it ends. */
  observation: { ...none, mutates_session: true, accesses_network: true },
  /** Also writes a file that is named by its content. */
  observationFile: { ...none, mutates_session: true, accesses_network: true, writes_filesystem: true },
} as const satisfies { readonly [name: string]: ToolEffects };
