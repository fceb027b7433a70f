import { buildVariant, type JudgedProgram } from "../corpus/build-variant.js";
import { collectSources } from "../corpus/source-sets.js";
import type { Truth } from "../corpus/truth.js";
import { variantsOf } from "../corpus/variant.js";
import { givenPrograms } from "../engine/given-programs.js";
import type { NamesByAddress } from "./match-score.js";

/** The same sources at two levels of optimisation. */
export interface LevelPair {
  readonly name: string;
  readonly left: JudgedProgram;
  readonly right: JudgedProgram;
}

/** Programs of the corpus (or of a folder of the same form) at -O2 and at -O3, both stripped. */
export async function levelPairs(folder: string | undefined): Promise<readonly LevelPair[]> {
  const programs = folder === undefined ? await corpusPrograms() : await givenPrograms(folder, ({ name }) => /O[23]$/u.test(name));
  const judged = programs.filter((program): program is JudgedProgram => "truth" in program);
  const byName = new Map(judged.map((program) => [program.name, program]));
  return judged.flatMap((left) => {
    const right = left.name.endsWith("O2") ? byName.get(left.name.replace(/O2$/u, "O3")) : undefined;
    return right === undefined ? [] : [{ name: left.name.replace(/O2$/u, ""), left, right }];
  });
}

async function corpusPrograms() {
  const { sets } = await collectSources();
  const variants = sets.filter(({ kind, language }) => kind === "program" && language === "c").flatMap(variantsOf);
  const wanted = variants.filter(({ name, toolchain }) => toolchain.format === "elf" && /O[23]$/u.test(name));
  const built = [];
  for (const variant of wanted) built.push(await buildVariant(variant));
  return built;
}

export function namesOf({ functions }: Truth): NamesByAddress {
  return new Map(functions.flatMap(({ start, names }) => (names === undefined ? [] : [[BigInt(start), names] as const])));
}
