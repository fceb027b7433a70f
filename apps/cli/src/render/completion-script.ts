import type { CommandEntry } from "../command-entries.js";

const words = (items: readonly string[]): string => items.join(" ");
const flags = (entry: CommandEntry): string => words(entry.options.map((name) => `--${name}`));

/** Commands first, then a command's options after a dash, files otherwise. */
export function bashCompletion(entries: readonly CommandEntry[]): string {
  const cases = entries.map((entry) => `    ${entry.command}) options="${flags(entry)}" ;;`).join("\n");
  return `_rea() {
  local current="\${COMP_WORDS[COMP_CWORD]}" options=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words(entries.map((entry) => entry.command))} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options --help" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _rea rea
`;
}

export function zshCompletion(entries: readonly CommandEntry[]): string {
  const cases = entries.map((entry) => `    ${entry.command}) options=(${flags(entry)}) ;;`).join("\n");
  return `#compdef rea
_rea() {
  local -a options
  if (( CURRENT == 2 )); then
    compadd -- ${words(entries.map((entry) => entry.command))} --help --version
    return
  fi
  case "\${words[2]}" in
${cases}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    compadd -- $options --help
  else
    _files
  fi
}
compdef _rea rea
`;
}

export function fishCompletion(entries: readonly CommandEntry[]): string {
  const commands = `complete -c rea -n __fish_use_subcommand -f -a "${words(entries.map((entry) => entry.command))}"`;
  const options = entries.flatMap((entry) =>
    entry.options.map((name) => `complete -c rea -n "__fish_seen_subcommand_from ${entry.command}" -l ${name}`),
  );
  return `${[commands, ...options].join("\n")}\n`;
}
