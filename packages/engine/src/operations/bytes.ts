import { formatAddress, type OperationParams, type OperationResult } from "@rea/core";
import { answer, type Answer } from "./answer.js";
import { givenAddress } from "./cursor.js";
import type { ImageQuery } from "./query.js";

/** Bytes as the loader maps them, before relocation. */
export function readBytes(query: ImageQuery, params: OperationParams<"read_bytes">): Answer<OperationResult<"read_bytes">> {
  const va = givenAddress(params.address);
  const { bytes, zeroFilled } = query.memory.read(va, params.length);
  const complete = bytes.length === params.length;
  const limitations: string[] = [];
  if (!complete) limitations.push(`Only ${String(bytes.length)} of ${String(params.length)} bytes are mapped from this address on.`);
  if (zeroFilled > 0) limitations.push(`${String(zeroFilled)} bytes are zeros supplied by the loader; the file does not store them.`);
  const result = {
    address: formatAddress(va),
    bytes_hex: Buffer.from(bytes).toString("hex"),
    requested_bytes: params.length,
    returned_bytes: bytes.length,
    complete,
  };
  return answer(result, { at: va, limitations });
}

export function addressToFileOffset(
  query: ImageQuery,
  params: OperationParams<"address_to_file_offset">,
): Answer<OperationResult<"address_to_file_offset">> {
  const va = givenAddress(params.address);
  const place = query.memory.place(va);
  const address = formatAddress(va);
  switch (place.kind) {
    case "file":
      return answer({ address, file_offset: place.offset, reason: null }, { at: va });
    case "zero-fill":
      return answer(
        { address, file_offset: null, reason: "The address is zero-filled by the loader; the file does not store it." },
        { at: va },
      );
    case "outside":
      return answer({ address, file_offset: null, reason: "The address lies outside every mapped range." }, { at: va });
  }
}
