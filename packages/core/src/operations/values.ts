import { z } from "../z.js";
import { parseAddress, formatAddress } from "../address.js";

/** Words shared by the inputs and results of operations. */

/** An address as a caller may write it; normalised to lowercase without leading zeros. */
export const addressInput = z
  .string()
  .regex(/^0[xX][0-9a-fA-F]{1,32}$/, "expected an address such as 0x401000")
  .transform((text, context) => {
    const parsed = parseAddress(text);
    if (parsed !== undefined) return formatAddress(parsed);
    context.addIssue({ code: "custom", message: "expected an address below 2^64" });
    return z.NEVER;
  });

export const addressValue = z.string().regex(/^0x[0-9a-f]+$/);
export const count = z.number().int().nonnegative();

export const documentInput = z.string().min(1).max(1024).optional().describe("Document name; default the selected one");
export const procedureInput = z.string().min(1).max(4096).describe("Entry address, or exact symbol name");

/** `offset` and `limit` of a paged list. */
export function pageInput(maximum: number, standard: number) {
  return {
    offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0).describe("First item of the page"),
    limit: z.number().int().min(1).max(maximum).default(standard).describe("Items in the page"),
  };
}

export const describedAddress = addressInput.describe("Virtual address, 0x…");
export const optionalAddress = addressInput.optional().describe("Virtual address; default the cursor");
