import { styleText } from "node:util";

/** Text styles that vanish where colour is off. */
export interface Style {
  heading(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  code(text: string): string;
}

const plain = (text: string): string => text;

export function styleFor(colour: boolean): Style {
  if (!colour) return { heading: plain, dim: plain, good: plain, bad: plain, warn: plain, code: plain };
  const styled = (format: Parameters<typeof styleText>[0]) => (text: string) => styleText(format, text, { validateStream: false });
  return {
    heading: styled("bold"),
    dim: styled("dim"),
    good: styled("green"),
    bad: styled("red"),
    warn: styled("yellow"),
    code: styled("cyan"),
  };
}
