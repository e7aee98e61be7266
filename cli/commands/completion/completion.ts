// `kubectl capp completion`: scripts by which shells complete command lines, and what these ask.
import { Argument } from 'commander';
import { candidates } from './complete.ts';
import type { Program } from '../command.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'kubectl'] as const;
export type Shell = (typeof SHELLS)[number];

export function addCompletion({ root, terminal }: Program): void {
  root
    .command('completion')
    .description('a script that completes command lines, for your shell or for kubectl')
    .addArgument(new Argument('<shell>', 'of what').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => terminal.out(SCRIPTS[shell]));
  root
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[]) => {
      const found = await candidates(root, words, terminal.env);
      if (found.length > 0) terminal.out(found.join('\n'));
    });
}

const HELP = `
bash:     source <(kubectl capp completion bash)
zsh:      source <(kubectl capp completion zsh)
fish:     kubectl capp completion fish | source
kubectl:  completes "kubectl capp" where kubectl's own completion is set up:
          kubectl capp completion kubectl > ~/.local/bin/kubectl_complete-capp
          chmod +x ~/.local/bin/kubectl_complete-capp`;

/** Names under which the program is called by itself. */
const NAMES = 'cappstan kubectl-capp';

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_cappstan() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -F _cappstan ${NAMES}`,
  zsh: `#compdef ${NAMES}
_cappstan() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- "\${(@)found:#}"
}
compdef _cappstan ${NAMES}`,
  fish: `function __cappstan
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete -- $words[2..-1] 2>/dev/null
end
${NAMES.split(' ')
  .map((name) => `complete -c ${name} -f -a '(__cappstan)'`)
  .join('\n')}`,
  // kubectl runs the file with the words behind "kubectl capp"; the last line says not to add file names.
  kubectl: `#!/bin/sh
kubectl-capp __complete -- "$@" 2>/dev/null
echo :4`,
};
