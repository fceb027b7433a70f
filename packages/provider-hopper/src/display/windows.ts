import type { XConnection } from "./x-connection.js";

/** A window on the screen, directly in the root window. */
export interface ShownWindow {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** `_NET_WM_PID`; null when its program does not say. */
  readonly pid: number | null;
  /** It waits for an answer, as far as its program says: of type dialog, or modal, or in front of another window. */
  readonly dialog: boolean;
  /** As its program gives it. */
  readonly title: string;
}

const maximumWindows = 256;
const propertyWords = 64;
const anyType = 0;
const viewable = 2;
const inputOutput = 1;
/** Predefined: WM_NAME and WM_TRANSIENT_FOR. */
const nameAtom = 39;
const transientForAtom = 68;

/** Looks at the windows of one display. */
export class WindowWatch {
  readonly #connection: XConnection;
  readonly #atoms = new Map<string, number>();

  constructor(connection: XConnection) {
    this.#connection = connection;
  }

  /** Every window that can be seen now; one that goes meanwhile is left out. */
  async shown(): Promise<ShownWindow[]> {
    const tree = await this.#connection.ask(request(15, this.#connection.setup.root));
    const count = Math.min(tree?.readUInt16LE(16) ?? 0, maximumWindows);
    const ids = Array.from({ length: count }, (_, index) => tree?.readUInt32LE(32 + 4 * index) ?? 0);
    const windows: ShownWindow[] = [];
    for (const id of ids) {
      const window = await this.#look(id);
      if (window !== undefined) windows.push(window);
    }
    return windows;
  }

  async #look(id: number): Promise<ShownWindow | undefined> {
    const attributes = await this.#connection.ask(request(3, id));
    const geometry = await this.#connection.ask(request(14, id));
    if (attributes === null || geometry === null || attributes.length < 44) return undefined;
    // Menus and hints stand outside the management of windows and never ask for anything.
    const unmanaged = attributes.readUInt8(27) !== 0;
    if (attributes.readUInt16LE(12) !== inputOutput || attributes.readUInt8(26) !== viewable || unmanaged) return undefined;
    const types = await this.#words(id, await this.#atom("_NET_WM_WINDOW_TYPE"));
    const states = await this.#words(id, await this.#atom("_NET_WM_STATE"));
    const owners = await this.#words(id, transientForAtom);
    const [pid] = await this.#words(id, await this.#atom("_NET_WM_PID"));
    const isDialog = types.includes(await this.#atom("_NET_WM_WINDOW_TYPE_DIALOG"));
    const isModal = states.includes(await this.#atom("_NET_WM_STATE_MODAL"));
    return {
      id,
      width: geometry.readUInt16LE(16),
      height: geometry.readUInt16LE(18),
      pid: pid ?? null,
      dialog: isDialog || isModal || owners.some((owner) => owner !== 0),
      title: await this.#title(id),
    };
  }

  async #title(id: number): Promise<string> {
    const utf8 = await this.#property(id, await this.#atom("_NET_WM_NAME"));
    return (utf8.length > 0 ? utf8 : await this.#property(id, nameAtom)).toString("utf8");
  }

  async #words(id: number, atom: number): Promise<number[]> {
    const value = await this.#property(id, atom);
    return Array.from({ length: Math.floor(value.length / 4) }, (_, index) => value.readUInt32LE(4 * index));
  }

  async #property(id: number, atom: number): Promise<Buffer> {
    const reply = await this.#connection.ask(request(20, id, atom, anyType, 0, propertyWords));
    if (reply === null) return Buffer.alloc(0);
    const bytes = reply.readUInt32LE(16) * (reply.readUInt8(1) / 8);
    return reply.subarray(32, Math.min(reply.length, 32 + bytes));
  }

  async #atom(name: string): Promise<number> {
    const known = this.#atoms.get(name);
    if (known !== undefined) return known;
    const text = Buffer.from(name, "latin1");
    const body = Buffer.alloc(4 + text.length + ((4 - (text.length % 4)) % 4));
    body.writeUInt16LE(text.length);
    text.copy(body, 4);
    const reply = await this.#connection.ask(framed(16, body));
    const atom = reply?.readUInt32LE(8) ?? 0;
    this.#atoms.set(name, atom);
    return atom;
  }
}

/** A request whose body is numbers of 32 bits. */
function request(opcode: number, ...words: readonly number[]): Buffer {
  const body = Buffer.alloc(4 * words.length);
  words.forEach((word, index) => body.writeUInt32LE(word, 4 * index));
  return framed(opcode, body);
}

function framed(opcode: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt8(opcode, 0);
  head.writeUInt16LE(1 + body.length / 4, 2);
  return Buffer.concat([head, body]);
}
