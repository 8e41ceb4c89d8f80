/** `dtp init`: sets up a service or the embedded service, step by step. */
import { DtpError, ExitCode } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { initFlags } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { visible } from '../../render/sanitize.ts';
import { redactUrl } from '../../request/redact.ts';
import { commandLine } from '../../settings/command-line.ts';
import type { LocalInput } from '../local-input.ts';
import { type CiPlace, findCi, offerCi } from './ci.ts';
import { findShell, installCompletions, postFirstEvent, writeFolderFile } from './extras.ts';
import { checkEmbedded, setUpService } from './service.ts';
import { doneSign, type Setup, workspaceNameOf } from './setup.ts';

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
