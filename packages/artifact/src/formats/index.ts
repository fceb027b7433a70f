import type { Format } from "../format.js";
import { universal } from "./universal/universal.js";
import { zipFormats } from "./zip/index.js";

/** Every container that is opened, in the order of the reference. */
export const formats: readonly Format[] = [...zipFormats, universal];
