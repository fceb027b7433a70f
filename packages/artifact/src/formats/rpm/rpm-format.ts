import { defineFormat } from "../../format.js";
import { rpmMembers } from "./rpm-walk.js";

/** RPM packages: lead, signature header, header, payload. */
export const rpmFormat = defineFormat({
  id: "rpm",
  title: "RPM package",
  notes: [
    "The main header and the compressed payload are members; the payload is opened in turn.",
    "Digests of header and payload (MD5, SHA-1, SHA-256 and others the header names) are checked; OpenPGP signatures are not.",
    "Files of the payload are checked against the digests of the header, the payload also as it was before compression.",
  ],
  access: "sequential",
  entries: rpmMembers,
});
