/** Version of the protocol library this package is built on; a test compares it with the installed one. */
export const sdkVersion = "1.32.2";
