import { decodeText } from "../text/decode.js";

/** A value of a package.json: read key by key, never trusted to have a shape. */
export type ManifestValue = unknown;

/** What resolution needs of a package.json. */
export interface PackageManifest {
  /** Directory of the file, "" for the root. */
  readonly directory: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly productName: string | null;
  readonly type: "module" | "commonjs" | null;
  readonly main: string | null;
  readonly module: string | null;
  readonly browser: ManifestValue;
  readonly exports: ManifestValue;
  readonly imports: ManifestValue;
  readonly bin: readonly string[];
  readonly dependencies: ReadonlyMap<string, string>;
}

/** Undefined for what is no JSON object: a package without a manifest, as Node's refusal of it would be. */
export function readManifest(directory: string, bytes: Uint8Array): PackageManifest | undefined {
  const value = parsed(decodeText(bytes).text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const type = fields.get("type");
  return {
    directory,
    name: textOf(fields.get("name")),
    version: textOf(fields.get("version")),
    productName: textOf(fields.get("productName")),
    type: type === "module" || type === "commonjs" ? type : null,
    main: textOf(fields.get("main")),
    module: textOf(fields.get("module")),
    browser: fields.get("browser"),
    exports: fields.get("exports"),
    imports: fields.get("imports"),
    bin: binaries(fields.get("bin")),
    dependencies: new Map([...texts(fields.get("devDependencies")), ...texts(fields.get("dependencies"))]),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A package.json that is no JSON is said to be unreadable by whoever asked for it.
    return undefined;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.length <= 4096 ? value : null;
}

function texts(value: unknown): (readonly [string, string])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]): (readonly [string, string])[] => (typeof item === "string" ? [[key, item]] : []));
}

function binaries(value: unknown): readonly string[] {
  return typeof value === "string" ? [value] : texts(value).map(([, path]) => path);
}
