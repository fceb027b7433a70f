/** Targets a deep provider can analyse. */
export const deepTarget = { kinds: ["executable", "database"], path_input: false } as const;

/** Executables for the file parsers: the open one, or the `path` input. */
export const executableFile = { kinds: ["executable"], path_input: true } as const;

/** Whatever can be opened, or what the `path` input names. */
export const anyFile = { kinds: ["executable", "database", "archive", "artifact", "directory"], path_input: true } as const;
