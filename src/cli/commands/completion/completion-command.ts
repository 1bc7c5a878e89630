import { didYouMean } from '../../../common/suggest.ts';
import { type Command, DONE, usageError } from '../../command.ts';
import { print } from '../../terminal/print.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completion: Command = {
  name: 'completion',
  summary: 'Print a script that completes the command line in a shell',
  usage: 'bash|zsh|fish',
  examples: [
    { typed: 'completion bash > simhash-doc.bash', about: 'a script for bash' },
    { typed: 'completion fish > simhash-doc.fish', about: 'a script for fish' },
  ],
  details: [
    'To use the script, evaluate it when the shell starts:',
    `  bash  in ~/.bashrc: eval "$(simhash-doc completion bash)"
  zsh   in ~/.zshrc, after compinit: eval "$(simhash-doc completion zsh)"
  fish  in ~/.config/fish/config.fish: simhash-doc completion fish | source`,
  ],
  options: [],
  words: SHELLS,

  async run({ positionals }, loadCommands) {
    const [given, ...others] = positionals;
    const expected = `expected one of ${SHELLS.join(', ')}`;
    if (given === undefined || others.length > 0) throw usageError(`${expected}, got ${positionals.length} arguments`);
    const shell = SHELLS.find((each) => each === given);
    if (shell === undefined)
      throw usageError(`unknown shell ${JSON.stringify(given)}${didYouMean(given, SHELLS) || `: ${expected}`}`);
    const { completionOf } = await import('./completion-scripts.ts');
    await print(completionOf(shell, await loadCommands()));
    return DONE;
  },
};
