/** `<operator-name>` codes and what they stand for (Itanium C++ ABI §5.1.4). */
export const operators: ReadonlyMap<string, string> = new Map([
  ["nw", "new"], ["na", "new[]"], ["dl", "delete"], ["da", "delete[]"], ["aw", "co_await"],
  ["ps", "+"], ["ng", "-"], ["ad", "&"], ["de", "*"], ["co", "~"], ["pl", "+"], ["mi", "-"], ["ml", "*"], ["dv", "/"],
  ["rm", "%"], ["an", "&"], ["or", "|"], ["eo", "^"], ["aS", "="], ["pL", "+="], ["mI", "-="], ["mL", "*="], ["dV", "/="],
  ["rM", "%="], ["aN", "&="], ["oR", "|="], ["eO", "^="], ["ls", "<<"], ["rs", ">>"], ["lS", "<<="], ["rS", ">>="],
  ["eq", "=="], ["ne", "!="], ["lt", "<"], ["gt", ">"], ["le", "<="], ["ge", ">="], ["ss", "<=>"], ["nt", "!"], ["aa", "&&"],
  ["oo", "||"], ["pp", "++"], ["mm", "--"], ["cm", ","], ["pm", "->*"], ["pt", "->"], ["cl", "()"], ["ix", "[]"],
]);
