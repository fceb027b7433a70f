/** Names that engines make from an address: `sub_4010`, `FUN_00104010`, `fcn.4010`, `loc_4010`, `DAT_0010`. */
const generated = /^(?:thunk_|j_)?(?:sub|fun|fcn|func|function|loc|lab|label|dat|data|off|unk|byte|word|dword|qword|ptr|switchd|caseD|nullsub|procedure|entry)[_.](?:0x)?[0-9a-f]+$/iu;
const generatedInText = /\b(?:thunk_|j_)?(?:sub|FUN|fcn|loc|LAB|DAT|data|off|unk|byte|word|dword|qword|PTR)_(?:0x)?[0-9a-fA-F]{3,}\b/gu;

/** True for a name that says only where something lies, so that equal names mean nothing. */
export function isGeneratedName(name: string): boolean {
  return generated.test(name);
}

/** A text with its generated names replaced by one word, and how many there were. */
export function withoutGeneratedNames(text: string): { readonly text: string; readonly masked: number } {
  let masked = 0;
  const replaced = text.replace(generatedInText, () => {
    masked += 1;
    return "‹unnamed›";
  });
  return { text: replaced, masked };
}
