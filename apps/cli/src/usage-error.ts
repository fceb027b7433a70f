/** A command line that cannot be understood: printed without a stack, exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
