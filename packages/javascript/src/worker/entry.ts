/** Module of the threads: beside the package's modules when built, beside the bundle when bundled; a test that runs from the sources uses the last build. */
export function standardEntry(): URL {
  const own = import.meta.url;
  if (own.endsWith("/worker/entry.ts")) return new URL("../../dist/worker.js", own);
  return new URL(own.endsWith("/worker/entry.js") ? "../worker.js" : "./javascript-worker.js", own);
}
