import { join } from "node:path";

const packageRoot = join(import.meta.dirname, "..", "..");
/** Our own sources. */
export const ownSources = join(packageRoot, "corpus");
/** Headers for targets without a C library. */
export const freestandingHeaders = join(ownSources, "freestanding");
const cache = join(packageRoot, "..", "..", "node_modules", ".cache");
/** Built programs, keyed by recipe and compiler. */
export const builtPrograms = join(cache, "engine-corpus");
/** Sources of others, fetched when needed. */
export const fetchedSources = join(cache, "engine-sources");
