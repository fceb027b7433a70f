import type { Place } from "../walk/place.js";
import type { FoundManifest } from "./manifest.js";

/** A list with the places it is at and speaks of. */
export interface PlacedManifest extends Omit<FoundManifest, "name"> {
  readonly logical_path: string;
  readonly container: Place;
}
