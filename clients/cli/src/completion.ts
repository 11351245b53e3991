import type { Command } from 'commander';
import { Failure } from './failure.js';

const scripts: Readonly<Record<string, string>> = {
  bash: `_parley() {
  mapfile -t COMPREPLY < <(compgen -W "$(parley complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -F _parley parley`,
  zsh: `#compdef parley
_parley() { compadd -- $(parley complete -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null) }
compdef _parley parley`,
  fish: `complete -c parley -f -a '(parley complete -- (commandline -opc)[2..] 2>/dev/null | string split " ")'`,
};

/** The script that a shell has to read when it starts. */
export function completionScript(shell: string): string {
  const script = scripts[shell];
  if (script === undefined) throw new Failure('usage', `completions are for ${Object.keys(scripts).join(', ')}`);
  return script;
}

/** The possible continuations of these words: subcommands of the command that they name, and its options. */
export function candidates(program: Command, words: readonly string[]): string[] {
  let command = program;
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command;
  const names = command.commands.map((one) => one.name()).filter((name) => name !== 'complete');
  return [...names, ...command.options.flatMap(({ long }) => (long ? [long] : []))];
}
