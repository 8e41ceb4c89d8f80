/** `dtp init`: sets up a service or the embedded service, step by step. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DtpError, ExitCode } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { fieldsOf } from '../../json-object.ts';
import type { initFlags, LocalInput } from '../../local/flags.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Result } from '../../output/result.ts';
import { visible } from '../../render/sanitize.ts';
import { redactUrl } from '../../request/redact.ts';
import { commandLine } from '../../settings/command-line.ts';
import { fileName } from '../../settings/folder-file.ts';
import { isSamePath } from '../../system/paths.ts';
import { flowDefaults } from '../../tree/flow-flags.ts';
import { complete, completionFile } from '../completion/script.ts';
import { postEvents } from '../events/post.ts';
import { type CiPlace, findCi, offerCi } from './ci.ts';
import { checkEmbedded, setUpService } from './service.ts';
import { askYesNo, doneSign, type Setup, workspaceNameOf, writeNew } from './setup.ts';

/** Runs the steps of the setup. If one fails or is interrupted, prints those that were completed. */
export async function initialize(invocation: Invocation, given: LocalInput<typeof initFlags>): Promise<Result> {
  const { sample } = given.flags;
  if (sample !== undefined) return (await import('./sample.ts')).writeSample(invocation, given, sample);
  const done: string[] = [];
  const setup: Setup = {
    invocation,
    given,
    // Standard input is the credential.
    prompts: given.flags.withToken ? undefined : invocation.openPrompts(),
    did: (what) => done.push(what),
  };
  try {
    return await runSteps(setup);
  } catch (error) {
    for (const line of stoppedLines(error, done)) invocation.log.note(line);
    throw error;
  }
}

async function runSteps(setup: Setup): Promise<Result> {
  // All flags are checked before anything is changed.
  if (setup.given.flags.local) checkEmbedded(setup);
  const [shell, place] = [await findShell(setup), await findCi(setup)];
  const { ci: asked, withToken } = setup.given.flags;
  if (asked === 'print' && !withToken) return printedJob(setup, place);
  const invocation = await setUpService(setup);
  const chosen = { ...setup, invocation };
  const folder_file = await writeFolderFile(chosen);
  const completions = await installCompletions(chosen, shell);
  const ci = await offerCi(chosen, place);
  const event = asked !== 'print' && (await postFirstEvent(chosen));
  const { profile, values } = invocation.settings;
  const base_url = baseOf(invocation);
  const workspace = values.workspace?.value ?? null;
  const value = { profile: profile.value, base_url, workspace, folder_file, completions, ci, event };
  return { kind: 'value', value, text: () => textOf(invocation, event) };
}

/** Only prints a CI job. It needs the URL of a service, but no login. */
async function printedJob(setup: Setup, place: CiPlace | undefined): Promise<Result> {
  const { settings } = setup.invocation;
  const base = settings.values.base_url?.value;
  if (base === 'local:') checkEmbedded(setup);
  if (base === undefined)
    throw new DtpError('usage', '--ci print needs the URL of the service; pass it with --base-url');
  return { kind: 'value', value: { ci: await offerCi(setup, place) }, text: () => '' };
}

const baseOf = ({ settings }: Invocation): string => redactUrl(settings.values.base_url?.value ?? '');

/** The end of the screen: what commands use now, and what to do next. */
function textOf(invocation: Invocation, isPosted: boolean): string {
  const { context, settings } = invocation;
  const base_url = baseOf(invocation);
  const name = workspaceNameOf(settings);
  const place = base_url === 'local:' ? 'the embedded service on this machine' : base_url;
  const posted = ['events', 'search', '--limit', '1'];
  const post = ['events', 'post', '--type', 'CLI_EXEC', '--success'];
  const next = [
    [commandLine(isPosted ? posted : post), isPosted ? 'show the event that was posted' : 'post an event'],
    [commandLine(['ws', 'list']), 'list workspaces'],
    [commandLine(['doctor']), 'check the setup'],
  ] as const;
  const width = Math.max(...next.map(([command]) => command.length));
  return [
    `${doneSign(context)} Ready: commands use ${place}`,
    `  profile    ${visible(settings.profile.value)}`,
    ...(name === '' ? [] : [`  workspace  ${visible(name)}`]),
    '',
    'Next:',
    ...next.map(([command, says]) => `  ${command.padEnd(width)}  ${says}`),
    '',
  ].join('\n');
}

function stoppedLines(error: unknown, done: readonly string[]): readonly string[] {
  const isInterrupt = error instanceof ExitCode;
  const why = isInterrupt ? 'stopped' : 'not finished';
  if (done.length === 0) return isInterrupt ? [`${why}; nothing was changed`] : [];
  return [`${why}; this was done:`, ...done.map((one) => `  ${one}`), `continue with: ${commandLine(['init'])}`];
}

/** Writes the workspace to a new .dtp.json, which needs no trust. Returns its path, or null. Never changes a file. */
async function writeFolderFile(setup: Setup): Promise<string | null> {
  const { invocation, given } = setup;
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
  await writeNew(setup, file, `${JSON.stringify({ workspace }, undefined, 2)}\n`);
  return file;
}

/** The user's shell. Undefined if there are no completions for it. Throws `usage` if the user asked for them. */
async function findShell({ invocation: { context }, given }: Setup) {
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
async function installCompletions(setup: Setup, shell: Awaited<ReturnType<typeof findShell>>) {
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
async function postFirstEvent(setup: Setup): Promise<boolean> {
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
