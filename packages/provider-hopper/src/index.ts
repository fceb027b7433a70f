export { createHopperProvider, type HopperProviderOptions } from "./hopper-provider.js";
