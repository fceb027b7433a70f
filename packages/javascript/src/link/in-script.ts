import type { LinkedScript } from "./linked-application.js";

/** A fact with the file that shows it. */
export type In<T> = T & { readonly script: LinkedScript };
