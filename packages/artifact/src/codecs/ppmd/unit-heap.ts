/** Bytes of one unit: a context, or two symbol states. */
const unitBytes = 12;

const largestRun = 128;
/** How often a request that finds nothing is served from the text's end before free runs are joined again. */
const joinEvery = 255;
/** A run on a free list or in the ring of all free runs says so by this mark; used memory never starts with a zero. */
const freeMark = 0;

/** Lengths of runs that have a free list of their own: 1–4, then steps of 2, 3 and 4 up to 128 units. */
const unitsOfList: readonly number[] = listLengths();
/** The list for a run of so many units (index: units − 1): the first that is long enough. */
const listOfUnits: readonly number[] = Array.from({ length: largestRun }, (_, index) => unitsOfList.findIndex((units) => units > index));
const longestList = unitsOfList.length - 1;

function listLengths(): number[] {
  const lengths: number[] = [];
  for (const step of [1, 2, 3]) for (let count = 0; count < 4; count += 1) lengths.push((lengths.at(-1) ?? 0) + step);
  while ((lengths.at(-1) ?? 0) < largestRun) lengths.push((lengths.at(-1) ?? 0) + 4);
  return lengths;
}

/**
 * The memory of a PPMd model (variant H): text grows from the bottom, units are cut from the space above it. Which
 * requests fail decides when the model starts anew, so sizes and order of the free lists are part of the format.
 * Places are byte offsets; 0 is nowhere.
 */
export class UnitHeap {
  readonly bytes: Uint8Array;
  readonly halves: Uint16Array;
  readonly words: Uint32Array;
  readonly #size: number;
  readonly #start: number;
  /** Where the ring of free runs starts while they are joined; behind the memory, marked as used. */
  readonly #ring: number;
  readonly #free = new Uint32Array(unitsOfList.length);
  #untilJoin = 0;
  /** Next byte of the text. */
  text = 0;
  /** Where units start. */
  unitsStart = 0;
  #low = 0;
  #high = 0;

  constructor(sizeBytes: number) {
    this.#size = sizeBytes;
    // Units end at a multiple of four, and no place is 0.
    this.#start = 4 - (sizeBytes & 3);
    this.#ring = this.#start + sizeBytes;
    const memory = new ArrayBuffer(this.#ring + unitBytes);
    this.bytes = new Uint8Array(memory);
    this.halves = new Uint16Array(memory);
    this.words = new Uint32Array(memory);
  }

  /** Forgets everything: an eighth of the memory is for text, the rest for units. */
  reset(): void {
    this.#free.fill(0);
    this.text = this.#start;
    this.#high = this.#start + this.#size;
    this.#low = this.unitsStart = this.#high - Math.floor(this.#size / 8 / unitBytes) * 7 * unitBytes;
    this.#untilJoin = 0;
  }

  /** One unit for a context, from the top; 0 when there is none. */
  context(): number {
    if (this.#high !== this.#low) return (this.#high -= unitBytes);
    return this.#free[0] === 0 ? this.#search(0) : this.#take(0);
  }

  /** A run of units; 0 when there is none. */
  run(units: number): number {
    const list = listOf(units);
    if (this.#free[list] !== 0) return this.#take(list);
    const length = lengthOf(list) * unitBytes;
    if (length > this.#high - this.#low) return this.#search(list);
    this.#low += length;
    return this.#low - length;
  }

  /** The run with one unit more; the same place when it has room already, 0 when there is none. */
  grow(place: number, units: number): number {
    const list = listOf(units);
    if (list === listOf(units + 1)) return place;
    const larger = this.run(units + 1);
    if (larger === 0) return 0;
    this.#move(place, larger, units);
    this.#give(place, list);
    return larger;
  }

  shrink(place: number, units: number, fewer: number): number {
    const from = listOf(units);
    const to = listOf(fewer);
    if (from === to) return place;
    if (this.#free[to] === 0) {
      this.#split(place, from, to);
      return place;
    }
    const smaller = this.#take(to);
    this.#move(place, smaller, fewer);
    this.#give(place, from);
    return smaller;
  }

  release(place: number, units: number): void {
    this.#give(place, listOf(units));
  }

  #move(from: number, to: number, units: number): void {
    this.words.copyWithin(to >> 2, from >> 2, (from + units * unitBytes) >> 2);
  }

  #give(place: number, list: number): void {
    this.words[place >> 2] = this.#free[list] ?? 0;
    this.#free[list] = place;
  }

  #take(list: number): number {
    const place = this.#free[list] ?? 0;
    this.#free[list] = this.words[place >> 2] ?? 0;
    return place;
  }

  /** Gives back what a run has too much. */
  #split(place: number, from: number, to: number): void {
    this.#giveUnits(place + lengthOf(to) * unitBytes, lengthOf(from) - lengthOf(to));
  }

  /** Gives a run of at most 128 units to the lists: to one, or the head to one and the tail to another. */
  #giveUnits(place: number, units: number): void {
    let list = listOf(units);
    if (lengthOf(list) !== units) {
      list -= 1;
      const head = lengthOf(list);
      this.#give(place + head * unitBytes, units - head - 1);
    }
    this.#give(place, list);
  }

  /** Looks in the lists of longer runs, then at the end of the text. */
  #search(list: number): number {
    if (this.#untilJoin === 0) {
      this.#join();
      if (this.#free[list] !== 0) return this.#take(list);
    }
    for (let longer = list + 1; longer <= longestList; longer += 1) {
      if (this.#free[longer] === 0) continue;
      const place = this.#take(longer);
      this.#split(place, longer, list);
      return place;
    }
    this.#untilJoin -= 1;
    const length = lengthOf(list) * unitBytes;
    if (this.unitsStart - this.text <= length) return 0;
    this.unitsStart -= length;
    return this.unitsStart;
  }

  /** Joins free runs that lie side by side and sorts them into the lists anew. */
  #join(): void {
    this.#untilJoin = joinEvery;
    const first = this.#ringOfAll();
    this.#joinNeighbours(first);
    for (let place = this.#next(this.#ring); place !== this.#ring; ) {
      const next = this.#next(place);
      let units = this.#units(place);
      for (; units > largestRun; units -= largestRun) {
        this.#give(place, longestList);
        place += largestRun * unitBytes;
      }
      this.#giveUnits(place, units);
      place = next;
    }
  }

  /** Links all free runs to a ring, marked and with their lengths; answers the first of it. */
  #ringOfAll(): number {
    let last = this.#ring;
    for (const [list, units] of unitsOfList.entries()) {
      let place = this.#free[list] ?? 0;
      this.#free[list] = 0;
      while (place !== 0) {
        const next = this.words[place >> 2] ?? 0;
        this.words[(place >> 2) + 1] = last;
        this.words[(last >> 2) + 2] = place;
        this.halves[place >> 1] = freeMark;
        this.halves[(place >> 1) + 1] = units;
        last = place;
        place = next;
      }
    }
    this.words[(this.#ring >> 2) + 1] = last;
    this.words[(last >> 2) + 2] = this.#ring;
    this.halves[this.#ring >> 1] = 1;
    // The space between runs and contexts must not look free.
    if (this.#low !== this.#high) this.halves[this.#low >> 1] = 1;
    return last;
  }

  #joinNeighbours(first: number): void {
    for (let place = first; place !== this.#ring; place = this.#next(place)) {
      for (;;) {
        const neighbour = place + this.#units(place) * unitBytes;
        const together = this.#units(place) + this.#units(neighbour);
        if (this.halves[neighbour >> 1] !== freeMark || together >= 0x10000) break;
        this.#unlink(neighbour);
        this.halves[(place >> 1) + 1] = together;
      }
    }
  }

  #unlink(place: number): void {
    const next = this.words[(place >> 2) + 1] ?? 0;
    const previous = this.words[(place >> 2) + 2] ?? 0;
    this.words[(previous >> 2) + 1] = next;
    this.words[(next >> 2) + 2] = previous;
  }

  #next(place: number): number {
    return this.words[(place >> 2) + 1] ?? 0;
  }

  #units(place: number): number {
    return this.halves[(place >> 1) + 1] ?? 0;
  }
}

function listOf(units: number): number {
  return listOfUnits[units - 1] ?? longestList;
}

function lengthOf(list: number): number {
  return unitsOfList[list] ?? largestRun;
}
