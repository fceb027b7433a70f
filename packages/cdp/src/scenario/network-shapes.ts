import { z } from "@rea/core";

const headers = z.record(z.string(), z.unknown());
const response = z.looseObject({
  status: z.int().nonnegative(),
  statusText: z.string(),
  headers,
  mimeType: z.string(),
  protocol: z.string().optional(),
});

export const requestSent = z.looseObject({
  requestId: z.string(),
  request: z.looseObject({ url: z.string(), method: z.string(), headers, postDataEntries: z.array(z.looseObject({ bytes: z.string().optional() })).optional() }),
  wallTime: z.number().optional(),
  type: z.string().optional(),
  redirectResponse: response.optional(),
});
export const responseReceived = z.looseObject({ requestId: z.string(), response });
export const loadingFinished = z.looseObject({ requestId: z.string(), encodedDataLength: z.number() });
export const loadingFailed = z.looseObject({ requestId: z.string(), errorText: z.string(), canceled: z.boolean().optional() });

/** By name, as the protocol gives them: several of one name are one text with line feeds. */
export function headersOf(given: z.output<typeof headers>): { readonly name: string; readonly value: string }[] {
  return Object.entries(given).map(([name, value]) => ({ name, value: typeof value === "string" ? value : "" }));
}
