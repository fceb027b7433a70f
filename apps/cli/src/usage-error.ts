/** A command line that cannot be understood: printed without a stack, exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What would have been valid, after a message about an unknown option. */
export function validOptions(message: string, options: readonly string[]): string {
  if (!message.startsWith("Unknown argument") || options.length === 0) return "";
  return `\n  valid options: ${[...new Set(options)].map((name) => `--${name}`).join(" ")}`;
}

/** yargs reports bad values with an error of its own; a coercion throws ours. */
export function isUsage(error: Error): boolean {
  return error instanceof UsageError || error.name === "YError";
}
