/** What the steps of `dtp init` share: the answers of flags and prompts, and what has been done so far. */
import type { Context } from '../../context.ts';
import type { Invocation, Prompts } from '../../invocation/invocation.ts';
import type { initFlags, LocalInput } from '../../local/flags.ts';
import { hasPlainSigns } from '../../render/signs.ts';
import type { Settings } from '../../settings/resolve.ts';

export interface Setup {
  /** The invocation. After a profile is chosen, the one that uses that profile. */
  readonly invocation: Invocation;
  readonly given: LocalInput<typeof initFlags>;
  /** Undefined if nobody is at the terminal. Then flags are the only answers. */
  readonly prompts: Prompts | undefined;
  /** Records a completed step. If the command fails or is interrupted, it prints the steps that it completed. */
  readonly did: (what: string) => void;
}

/** Writes a new file, and reports it as done. */
export async function writeNew(
  { invocation: { context, log }, did }: Setup,
  file: string,
  text: string,
): Promise<void> {
  const { writeNamedFile } = await import('../../files/output.ts');
  await writeNamedFile(context, file, text, { replace: false, mode: 0o644 });
  did(`wrote ${file}`);
  log.success(`wrote ${file}`);
}

/** The sign in front of what was done, in words if the output is not a terminal that can show it. */
export const doneSign = ({ env, stdout }: Pick<Context, 'env' | 'stdout'>): string =>
  stdout.isTTY && !hasPlainSigns(env) ? '✔' : 'ok:';

/** Whether a flag or the user agrees. `usual` is the meaning of an empty answer. If nobody can answer, it is no. */
export async function askYesNo(
  { prompts }: Setup,
  question: string,
  { flag = false, usual }: { readonly flag?: boolean | undefined; readonly usual: boolean },
): Promise<boolean> {
  if (flag || !prompts) return flag;
  const choices = usual ? '(Y/n)' : '(y/N)';
  for (let text = `${question} ${choices}`; ; text = `Answer y or n. ${question} ${choices}`) {
    const answer = (await prompts.text(text)).toLowerCase();
    if (answer === '') return usual;
    if (/^(y|yes|n|no)$/.test(answer)) return answer.startsWith('y');
  }
}

/** Prompts for one line. An empty answer keeps the present value, if there is one. */
export async function askText(prompts: Prompts, question: string, present: string | undefined): Promise<string> {
  for (let shown = question; ; shown = `It cannot be empty. ${question}`) {
    const answer = await prompts.text(present === undefined ? `${shown}:` : `${shown} [${present}]:`);
    if (answer !== '' || present !== undefined) return answer || (present ?? '');
  }
}

/** The workspace as a person knows it: its slug, if it is the workspace of the profile's credential, or else its id. */
export function workspaceNameOf({ values, stored }: Pick<Settings, 'values' | 'stored'>): string {
  const id = values.workspace?.value ?? '';
  const slug = stored.credential_workspace === id ? stored.workspace_slug : undefined;
  return slug === undefined ? id : `${slug} (${id})`;
}
