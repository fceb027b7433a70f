import type { ArtifactsPort } from "@rea/core";
import { publishFile } from "./publish-file.js";

/** Extracts members into a private directory, packs them from there, and removes the directory whatever happens. */
export const packMembers: ArtifactsPort["pack"] = async ({ path, select, integrityPolicy, output, overwrite }, context) => {
  const { discardExtraction, extract, openArtifact, packTar } = await import("@rea/artifact");
  const artifact = openArtifact(path);
  try {
    const found = await extract(artifact, { ...context, ...(select === undefined ? {} : { select }), integrityPolicy });
    try {
      const written = await publishFile({ path: output, field: "output", overwrite, chunks: packTar(found, context), signal: context.signal, operation: "pack_artifact" });
      return { ...written, files: found.artifacts.length, skipped: found.skipped, omissions: found.coverage.omissions };
    } finally {
      await discardExtraction(found);
    }
  } finally {
    artifact.close();
  }
};
