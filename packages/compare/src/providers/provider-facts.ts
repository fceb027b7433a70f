import { parseAddress, type Omission } from "@rea/core";

/** Addresses are of the provider's own placing until they are shifted. */
export interface FunctionFact {
  readonly address: bigint;
  readonly size: number | null;
}

export interface TextFact {
  readonly address: bigint;
  readonly value: string;
  readonly truncated: boolean;
}

export interface NameFact extends TextFact {
  /** What a linker or a demangler makes of the same name. */
  readonly demangled: string | undefined;
}

export interface CallFact {
  readonly from: bigint;
  readonly to: bigint;
}

/** A named range, by which the placings of two providers are laid over each other. */
export interface PlacedRange {
  readonly name: string;
  readonly start: bigint;
}

/** Everything that one provider says of a program; null for what it does not offer. */
export interface ProviderFacts {
  readonly id: string;
  readonly ranges: readonly PlacedRange[];
  /** Those with a body in the program. */
  readonly functions: readonly FunctionFact[] | null;
  readonly names: readonly NameFact[] | null;
  readonly strings: readonly TextFact[] | null;
  readonly calls: readonly CallFact[] | null;
  /** What of the above is missing, by its own account or because of our bounds. */
  readonly omissions: readonly Omission[];
}

/** Reads an address that a checked result holds. */
export function addressOf(text: string): bigint {
  const address = parseAddress(text);
  if (address === undefined) throw new Error("A checked result holds addresses only.");
  return address;
}
