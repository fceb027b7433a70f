export { createNativeProvider, type NativeProviderOptions } from "./native-provider.js";
export { createStaticPort, type StaticOperation, type StaticPort } from "./static-port.js";
