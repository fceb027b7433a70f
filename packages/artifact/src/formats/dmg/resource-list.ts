import { isReaError } from "@rea/core";
import { XmlScanner } from "../../reading/xml-scanner.js";

/** A resource of the image. */
export interface Resource {
  /** Four characters, such as `blkx` for block tables. */
  readonly type: string;
  readonly name: string;
  readonly data: Buffer;
}

/** Resources of a list, and whether it was read to its end. */
export interface Resources {
  readonly resources: readonly Resource[];
  readonly problem: string | undefined;
}

const tableType = "blkx";

/**
 * Reads the property list that stands for a resource fork: under `resource-fork` a list of dictionaries for each type.
 * The data of block tables is kept, that of other types is not.
 */
export function listedResources(text: string): Resources {
  const list = new ListReader();
  const scanner = new XmlScanner(text);
  try {
    for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
      if (token.kind === "open") list.open(token.name, token.isEmpty);
      else if (token.kind === "close") list.close(token.name);
      else list.text(token.text);
    }
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    return { resources: list.resources, problem: error.message };
  }
  return { resources: list.resources, problem: undefined };
}

/** Depth of the dictionary under `resource-fork`, and of the dictionaries in its lists. */
const forkDepth = 2;
const resourceDepth = 4;

class ListReader {
  readonly resources: Resource[] = [];
  /** Last key of each open dictionary or list. */
  readonly #keys: string[] = [];
  #content = "";
  #name = "";
  #data = Buffer.alloc(0);

  open(element: string, isEmpty: boolean): void {
    this.#content = "";
    if (isEmpty || !isCollection(element)) return;
    this.#keys.push("");
    if (this.#isResource()) {
      this.#name = "";
      this.#data = Buffer.alloc(0);
    }
  }

  text(text: string): void {
    this.#content += text;
  }

  close(element: string): void {
    if (isCollection(element)) {
      if (this.#isResource()) this.resources.push({ type: this.#type(), name: this.#name, data: this.#data });
      this.#keys.pop();
    } else if (element === "key") {
      this.#keys[this.#keys.length - 1] = this.#content;
    } else if (this.#isResource()) {
      this.#field(this.#keys[resourceDepth - 1] ?? "", element);
    }
    this.#content = "";
  }

  #field(key: string, element: string): void {
    if (element === "string" && (key === "Name" || (key === "CFName" && this.#name === ""))) this.#name = this.#content;
    if (element === "data" && key === "Data" && this.#type() === tableType) this.#data = Buffer.from(this.#content, "base64");
  }

  #isResource(): boolean {
    return this.#keys.length === resourceDepth && this.#keys[0] === "resource-fork";
  }

  #type(): string {
    return this.#keys[forkDepth - 1] ?? "";
  }
}

function isCollection(element: string): boolean {
  return element === "dict" || element === "array";
}

/** Reads a resource fork as older images have it (Inside Macintosh, "Resource Manager"). */
export function forkResources(fork: Buffer): Resources {
  const resources: Resource[] = [];
  const broken = { resources, problem: "The resource fork is damaged." };
  if (fork.byteLength < 16) return broken;
  const [dataAt = 0, mapAt = 0] = [fork.readUInt32BE(0), fork.readUInt32BE(4)];
  if (mapAt + 30 > fork.byteLength) return broken;
  const typesAt = mapAt + fork.readUInt16BE(mapAt + 24);
  const namesAt = mapAt + fork.readUInt16BE(mapAt + 26);
  if (typesAt + 2 > fork.byteLength) return broken;
  const types = (fork.readUInt16BE(typesAt) + 1) & 0xffff;
  for (let index = 0; index < types; index += 1) {
    const at = typesAt + 2 + index * 8;
    if (at + 8 > fork.byteLength) return broken;
    const type = fork.toString("latin1", at, at + 4);
    const listAt = typesAt + fork.readUInt16BE(at + 6);
    const count = fork.readUInt16BE(at + 4) + 1;
    for (let item = 0; item < count; item += 1) {
      const resource = forkResource(fork, { at: listAt + item * 12, dataAt, namesAt, type });
      if (resource === undefined || resources.length >= mostResources) return broken;
      resources.push(resource);
    }
  }
  return { resources, problem: undefined };
}

const mostResources = 10_000;

function forkResource(fork: Buffer, { at, dataAt, namesAt, type }: { readonly at: number; readonly dataAt: number; readonly namesAt: number; readonly type: string }): Resource | undefined {
  if (at + 12 > fork.byteLength) return undefined;
  const start = dataAt + (fork.readUInt32BE(at + 4) & 0xffffff);
  if (start + 4 > fork.byteLength) return undefined;
  const end = start + 4 + fork.readUInt32BE(start);
  if (end > fork.byteLength) return undefined;
  const nameAt = namesAt + fork.readUInt16BE(at + 2);
  const hasName = fork.readUInt16BE(at + 2) !== 0xffff && nameAt < fork.byteLength;
  const name = hasName ? fork.toString("latin1", nameAt + 1, nameAt + 1 + fork.readUInt8(nameAt)) : "";
  return { type, name, data: type === tableType ? fork.subarray(start + 4, end) : Buffer.alloc(0) };
}
