let failed = false;

/**
 * A reader of standard output that has gone is not an error; a full disk is one line and exit status 1. What the command
 * still has to release is released.
 */
export function watchStandardOutput(): void {
  process.stdout.on("error", report);
  process.on("exit", () => {
    if (failed && Number(process.exitCode ?? 0) === 0) process.exitCode = 1;
  });
}

/** Writes to standard output; a failure is reported once and never thrown. */
export function printOut(text: string): void {
  if (failed) return;
  try {
    process.stdout.write(text);
  } catch (error) {
    // Files are written at once, and some versions of Node throw at once.
    report(error);
  }
}

function report(error: unknown): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  if (code === "EPIPE") process.exit(0);
  if (failed) return;
  failed = true;
  process.stderr.write(`rea: standard output could not be written (${code})\n`);
}
