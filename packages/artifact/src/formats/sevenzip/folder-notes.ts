import type { FindingReport } from "../../reading/finding-report.js";
import type { FolderNotes } from "./folder-output.js";

/** Turns what reading a folder shows into findings. */
export function folderNotes(findings: FindingReport): FolderNotes {
  return {
    longer: () => {
      const detail = "The packed data of a folder gives more bytes than the folder declares.";
      findings.add({ anomaly: "size_mismatch", offset: null, detail, effect: "The bytes behind the declared size are shown by no reader." });
    },
    oddEnd: (what) => {
      const detail = `All declared bytes of a folder came out, and its packed data does not end there: ${what}`;
      findings.add({ anomaly: "header_size_mismatch", offset: null, detail, effect: "Readers that check the end call the folder damaged, others do not notice." });
    },
    unused: (offset, bytes) => {
      const detail = `${String(bytes)} bytes of a packed stream stand behind the end of its data.`;
      findings.add({ anomaly: "header_size_mismatch", offset, detail, effect: "No reader of the archive shows these bytes." });
    },
    checksum: (what, offset, { declared, computed }) => {
      const detail = `The declared CRC-32 of a ${what} is ${hex(declared)}, that of its bytes ${hex(computed)}.`;
      findings.add({ anomaly: "crc_mismatch", offset, detail, effect: "Readers that check refuse the folder, others take it." });
    },
  };
}

function hex(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}
