export { defaultLimits, limitRanges, limitsWith, type ArtifactLimits } from "./limits.js";
