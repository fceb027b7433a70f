import { escapeUntrusted, type BrowserScenario } from "@rea/core";
import { observationError } from "../protocol/failures.js";

const replacement = "«secret»";

/** Values that were given by the environment: where they go, and in no form anywhere else. */
export class Secrets {
  readonly #values: ReadonlyMap<string, string>;
  readonly #forms: readonly string[];

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
    const forms = new Set([...values.values()].flatMap(formsOf));
    // Longer ones first: one may hold another.
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
  }

  get none(): boolean {
    return this.#values.size === 0;
  }

  /** Every form in which one could be seen, longest first. */
  get forms(): readonly string[] {
    return this.#forms;
  }

  of(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error("Every secret is read before the run.");
    return value;
  }

  /** The text without any secret, also in the forms that URLs, JSON and markup give it. */
  hide(text: string): string {
    let hidden = text;
    for (const form of this.#forms) if (hidden.includes(form)) hidden = hidden.replaceAll(form, replacement);
    return hidden;
  }
}

/**
 * Reads what the scenario takes from the environment. Throws `secret_unavailable` for a variable that is not set, or that is
 * too short to be found again: a value of fewer than 4 characters is everywhere.
 */
export function readSecrets({ actions, storage_seed }: BrowserScenario, environment: { readonly [name: string]: string | undefined }, operation: string): Secrets {
  const names = [...actions.flatMap((action) => (action.type === "fill" ? [action.secret_env] : [])), ...(storage_seed?.cookies ?? []).map(({ secret_env }) => secret_env)];
  const values = new Map<string, string>();
  for (const name of names) {
    if (name === undefined) continue;
    const value = environment[name];
    if (value === undefined || value.length < 4) {
      const problem = value === undefined ? "is not set" : "has fewer than 4 characters, so it could not be hidden";
      throw observationError({ operation, reason: "secret_unavailable", message: `A variable that secret_env names ${problem}. Set it where REA is started, and call again.`, details: { position: names.indexOf(name) } });
    }
    values.set(name, value);
  }
  return new Secrets(values);
}

function formsOf(value: string): string[] {
  const plain = [value, value.trim(), ...value.split(/[\r\n]+/)].filter((form) => form.length >= 4);
  return plain.flatMap((form) => {
    const percent = encodeURIComponent(Buffer.from(form).toString("utf8"));
    return [form, escapeUntrusted(form), percent, percent.toLowerCase(), percent.replaceAll("%20", "+"), formEncoded(form), JSON.stringify(form).slice(1, -1), markup(form), ...base64Forms(form)];
  });
}

/** As `application/x-www-form-urlencoded` and URL parsers write it. */
function formEncoded(form: string): string {
  return new URLSearchParams({ a: form }).toString().slice(2);
}

function markup(form: string): string {
  return form.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Base64 of it alone, in both alphabets; without the end, which depends on what follows. */
function base64Forms(form: string): string[] {
  const whole = Buffer.from(form).toString("base64").replace(/=+$/, "");
  const kept = whole.slice(0, whole.length - (whole.length % 4 === 0 ? 0 : 1));
  return kept.length < 8 ? [] : [kept, kept.replaceAll("+", "-").replaceAll("/", "_")];
}
