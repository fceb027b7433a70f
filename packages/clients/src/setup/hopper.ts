/** Where the vendor publishes Hopper; shown, never contacted. */
export const hopperOrigin = "https://www.hopperapp.com";

/**
 * What a person has to do. REA installs a vendor's build only when the product records its digest, and no digest is
 * recorded; nothing else is ever installed.
 */
export const hopperInstructions =
  `No digest of a Hopper build is recorded, so REA does not install it. Download Hopper from ${hopperOrigin}, install it as its vendor says, ` +
  "set HOPPER_LAUNCHER_PATH to the absolute path of its launcher, then run: rea doctor --provider hopper";
