import { jsonObject, reconstructionSpecificationSchema, reconstructionVerificationSchema, z, type Evidence } from "@rea/core";
import { defineTool, effectClasses, parseFreeForm } from "@rea/tool";
import { derived } from "./derived.js";

const name = "verify_reconstruction";

export const verifyReconstruction = defineTool({
  family: "session",
  evidence: true,
  target: "none",
  name,
  description:
    "Judges a specification of claims against the records of this session: behavioral and structural claims on comparisons, value, presence and absence claims on any record. fail comes with the counter-fact, unknown with a probe that would settle it; pass speaks of the declared claims alone. Next: recommended_probes.",
  input: z.strictObject({
    specification: z.record(z.string(), z.unknown()).describe("schema_version 1, name, claims; see the reference"),
  }),
  output: reconstructionVerificationSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "ledger", "unknowns"],
  cli: null,
  examples: [
    {
      title: "One claim on one comparison of runs",
      input: {
        specification: {
          schema_version: 1,
          name: "copy of greet",
          claims: [
            {
              claim_id: "says-the-same",
              kind: "behavioral",
              statement: "The copy prints what the original prints.",
              comparison: { evidence_id: `ev_${"0".repeat(64)}` },
              dimensions: ["terminal", "exit"],
            },
          ],
        },
      },
    },
  ],
  run: async (input, { evidence, ledger, unknowns }, context) => {
    const specification = parseFreeForm(reconstructionSpecificationSchema, input.specification, { operation: name, field: "specification" });
    const inputs = specification.claims.flatMap((claim): readonly Evidence[] | Evidence => evidence.find("comparison" in claim ? claim.comparison : claim.evidence) ?? []);
    const { referenced, verifyReconstruction: verify } = await import("@rea/compare");
    const compute = () =>
      verify(specification, {
        find: (one) => evidence.find(one),
        wholeOf: (sha256) => wholeIn(ledger.whole(sha256)?.content),
        unknowns: unknowns.latest(),
        cite: (record) => evidence.cite(record),
      });
    const { result, produced } = await derived({ operation: name, producer: "reconstruction", inputs, compute }, context);
    if (produced === null) return { result, produced };
    return { result, produced: { ...produced, resolved_parameters: { specification: jsonObject.parse(referenced(specification)) } } };
  },
});

function wholeIn(content: unknown): object | undefined {
  return typeof content === "object" && content !== null ? content : undefined;
}
