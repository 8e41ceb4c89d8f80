/** `dtp artifacts pull`: a revision into a folder that appears whole or not at all. */
import { resolve, sep } from 'node:path';
import { DtpError } from '../../errors.ts';
import { faultOfName } from '../../flows/names.ts';
import { type Pulled, pull } from '../../flows/pull.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { LocalGiven } from '../../local/command.ts';
import { operations } from '../../operations/index.ts';
import { backoff } from '../../operations/shared.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { bytesText } from '../../render/amounts.ts';
import { commandLine, withoutTimeout } from '../../settings/command-line.ts';
import { isUnsent } from '../../settings/global-flags.ts';
import { backoffMs } from '../../transport/retry.ts';
import { pickArguments } from '../operation/pick.ts';
import { addressOf, type Repository } from './http-registry.ts';
import { inputOf, parseReference } from './reference.ts';
import { inSession, referenceOf, registryOf, repositoryOf, type Session } from './session.ts';
import { openShelf } from './shelf.ts';

/** Pulls a revision into a folder, which -O names. */
export async function pullRevision(invocation: Invocation, { args: [given] }: LocalGiven): Promise<Result> {
  const { context, globals, argv } = invocation;
  const text = given ?? (await chosenReference(invocation));
  const reference = parseReference(text);
  const folder = targetOf(context.cwd, globals.outputFile ?? reference.namespace);
  const replace = globals.force === true;
  const { checkFolder } = await import('../../store/folder.ts');
  await checkFolder(folder, replace);

  const next = commandLine(withoutTimeout(given === undefined ? [...argv, text] : argv));
  const input = inputOf(reference, reference.revision);
  return inSession(invocation, { next, input }, async (session) => {
    const repository = await repositoryOf(reference, session, !globals.dryRun);
    const { revision } = reference;
    if (globals.dryRun) {
      const url = addressOf(session.connection.target.base, repository, '/manifests/{value}', revision);
      return { kind: 'value', value: { method: 'GET', url, folder } };
    }
    const { digest, files } = await intoFolder(session, repository, revision, { folder, replace });
    const value = {
      reference: referenceOf(repository, revision),
      digest,
      folder,
      files: files.map(({ name }) => name).sort(),
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    };
    return { kind: 'value', value };
  });
}

/** A namespace and then a revision of it, chosen on a terminal. Throws `usage` where nobody can be asked. */
async function chosenReference({ context, globals, argv, log, openPrompts }: Invocation): Promise<string> {
  const prompts = isUnsent(globals) ? undefined : openPrompts();
  if (!prompts) throw new DtpError('usage', '<ref> is missing', { next: [commandLine([...argv, 'REF'])] });
  const asked = { given: { argv, args: [], flags: {}, flow: {} }, globals };
  const [namespace, revision = ''] = await pickArguments({ context, prompts }, operations.getManifest, asked);
  const reference = `${namespace}${revision.includes(':') ? '@' : ':'}${revision}`;
  log.note(`that is: ${commandLine([...argv, reference])}`);
  return reference;
}

/** Throws `usage` where a shell would be left in a folder that is no more. */
function targetOf(cwd: string, given: string): string {
  const folder = resolve(cwd, given);
  if (`${cwd}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep))
    throw new DtpError('usage', `cannot write ${given}: it is the working folder, or above it`, {
      hint: 'The folder is made anew: name another with -O.',
    });
  const fault = faultOfName(folder.split(sep).at(-1) ?? '');
  if (fault !== undefined)
    throw new DtpError('usage', `cannot write ${given}: ${fault}`, { hint: 'Name a folder with -O.' });
  return folder;
}

/** Of a layer, only what broke off is fetched again here: what gave no answer has been sent again already. */
const isCut = (error: unknown): error is DtpError =>
  error instanceof DtpError &&
  error.facts.retryable === true &&
  error.facts.status === undefined &&
  (error.facts.attempts ?? 1) === 1;

async function intoFolder(
  session: Session,
  repository: Repository,
  revision: string,
  { folder, replace }: { readonly folder: string; readonly replace: boolean },
): Promise<Pulled> {
  const { invocation, signal } = session;
  const { context, globals, log } = invocation;
  const retries = Number(globals.retry ?? 0);
  const registry = registryOf(session, repository, true);
  const { openIncoming } = await import('../../store/folder.ts');
  const incoming = await openIncoming(folder, replace);
  // Thousands of files may have to be removed again.
  context.setGrace(2000);
  try {
    const start = context.clock.now();
    const pulled = await withSpinner(context, `pulling ${repository.namespace}`, (show) =>
      pull(registry, revision, openShelf(incoming, signal), {
        signal,
        tell: (done, size) =>
          show(`pulling ${repository.namespace}: ${bytesText(done, size, context.clock.now() - start)}`),
        again: async (count, why) => {
          if (count > retries || !isCut(why)) throw why;
          const ms = backoffMs(backoff, count, context.random());
          log.retry(count, why.message, ms);
          await context.clock.sleep(ms, signal);
        },
      }),
    );
    signal.throwIfAborted();
    await incoming.claim();
    return pulled;
  } finally {
    await incoming.drop();
  }
}
