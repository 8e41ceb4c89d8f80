/** Generates the completion scripts from the command tree. The folder `completions/` has the generated scripts. */
import { rootCommand } from '../../tree/tree.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { powershellScript } from './powershell.ts';
import { type CompletionPage, completionPagesOf } from './tree.ts';
import { zshScript } from './zsh.ts';

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

const scripts: Readonly<Record<Shell, (pages: readonly CompletionPage[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

export const isShell = (name: string | undefined): name is Shell => name !== undefined && Object.hasOwn(scripts, name);

/** Returns the script of a shell. Throws if a word or a help string of the tree cannot be part of a script. */
export function completionScript(shell: Shell, root = rootCommand): string {
  const pages = completionPagesOf(root);
  checkTexts(pages);
  return scripts[shell](pages);
}

/** Throws if a word has special characters, because scripts do not quote words, or if a help has several lines. */
function checkTexts(pages: readonly CompletionPage[]): void {
  const flags = pages.flatMap((page) => page.flags);
  const commands = pages.flatMap((page) => page.commands);
  const slots = [...flags, ...pages.flatMap((page) => page.args)].map(({ slot }) => slot);
  const words = [...[...flags, ...commands].flatMap(({ names }) => names), ...slots.flatMap((one) => one.words)];
  const odd =
    words.find((word) => !/^[\w.-]+$/.test(word)) ??
    [...flags, ...commands].map(({ help }) => help).find((help) => /[\t\r\n]/.test(help));
  if (odd !== undefined) throw new Error(`completions cannot hold ${JSON.stringify(odd)}`);
}
