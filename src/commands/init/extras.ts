/** The optional steps of `dtp init`: .dtp.json, completions, and a first event. */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DtpError } from '../../errors.ts';
import { fieldsOf } from '../../json-object.ts';
import { operationsFor } from '../../operations/areas.ts';
import { fileName } from '../../settings/folder-file.ts';
import { isSamePath } from '../../system/paths.ts';
import { flowDefaults } from '../../tree/flow-flags.ts';
import { complete, completionFile } from '../completion/script.ts';
import { postEvents } from '../events/post.ts';
import { askYesNo, type Setup, workspaceNameOf } from './setup.ts';

/** Writes the workspace to a new .dtp.json, which needs no trust. Returns its path, or null. Never changes a file. */
export async function writeFolderFile(setup: Setup): Promise<string | null> {
  const { invocation, given, did } = setup;
  const { context, settings, log } = invocation;
  const { folderFile: flag } = given.flags;
  const workspace = settings.values.workspace?.value;
  const isEmbedded = settings.values.base_url?.value === 'local:';
  const file = join(context.cwd, fileName);
  if (flag && !workspace) throw new DtpError('usage', '--folder-file needs a workspace; pass it with -w ID');
  if (isEmbedded || !workspace) return null;
  if (existsSync(file)) {
    if (flag) log.note(`${file} already exists and was not changed`);
    return null;
  }
  // A file in the home folder would apply to everything.
  if (isSamePath(context.cwd, context.home) && !flag) return null;
  const question = `Write ${fileName} here, so that commands in this folder use workspace ${workspaceNameOf(settings)}?`;
  if (!(await askYesNo(setup, question, { flag, usual: false }))) return null;
  const { writeNamedFile } = await import('../../files/output.ts');
  await writeNamedFile(context, file, `${JSON.stringify({ workspace }, undefined, 2)}\n`, {
    replace: false,
    mode: 0o644,
  });
  did(`wrote ${file}`);
  log.success(`wrote ${file}`);
  return file;
}

/** The user's shell. Undefined if there are no completions for it. Throws `usage` if the user asked for them. */
export async function findShell({ invocation: { context }, given }: Setup) {
  const usual = context.runtime.platform === 'win32' ? 'powershell' : '';
  const { isShell } = await import('../../describe/completions/index.ts');
  const shell = basename(context.env.SHELL ?? '') || usual;
  if (isShell(shell)) return shell;
  if (given.flags.completions)
    throw new DtpError('usage', '--completions: there are no completions for the shell in SHELL', {
      next: ['dtp completion --help'],
    });
  return undefined;
}

/** Installs the completions of the user's shell. Returns the shell, or null. */
export async function installCompletions(setup: Setup, shell: Awaited<ReturnType<typeof findShell>>) {
  const { invocation, given, did } = setup;
  const { context } = invocation;
  const { completions: flag } = given.flags;
  if (shell === undefined) return null;
  const verb = existsSync(completionFile(context, shell)) ? 'Update' : 'Install';
  if (!(await askYesNo(setup, `${verb} completions for ${shell}?`, { flag, usual: true }))) return null;
  await complete(invocation, { args: [shell], flags: { install: true } });
  did(`installed the completions for ${shell}`);
  return shell;
}

/** Posts one real event. Returns whether it was delivered. Throws like `events post`. */
export async function postFirstEvent(setup: Setup): Promise<boolean> {
  const { invocation, given, prompts, did } = setup;
  const isWanted = given.flags.event !== false;
  if (!isWanted || (prompts && !(await askYesNo(setup, 'Post a first event?', { usual: true })))) return false;
  const operation = operationsFor('events').postWorkspaceEvents;
  const body = JSON.stringify({ interaction_type: 'CLI_EXEC', raw_command: 'dtp init', success: true });
  const { json: _, output: __, outputFile: ___, ...globals } = invocation.globals;
  const posted = await postEvents({ ...invocation, globals }, operation, {
    argv: operation.command,
    args: [],
    flags: { body },
    flow: flowDefaults(operation),
  });
  await posted.calls?.end();
  const { delivered } = fieldsOf(posted.kind === 'value' ? posted.value : undefined);
  did('posted an event');
  if (delivered !== 1) return false;
  invocation.log.success('Posted an event');
  return true;
}
