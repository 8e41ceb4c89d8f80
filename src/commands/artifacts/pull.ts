/** Implements `dtp artifacts pull`, which downloads a revision into a folder atomically. */
import { dirname, resolve, sep } from 'node:path';
import { systemCall } from '../../caught.ts';
import { DtpError, type Facts } from '../../errors.ts';
import { holdTarget } from '../../files/output.ts';
import { faultOfFileName } from '../../flows/names.ts';
import { type Pulled, pull } from '../../flows/pull.ts';
import { isDigest } from '../../flows/registry.ts';
import { call } from '../../invocation/connection.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { withIds } from '../../invocation/names-input.ts';
import { fieldsOf } from '../../json-object.ts';
import type { LocalInput } from '../../local/flags.ts';
import { operationsFor } from '../../operations/areas.ts';
import { defaultRetryPolicy, isRetriedByDownload, waitAfter } from '../../operations/retry-rules.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { amount, sizeText } from '../../render/amounts.ts';
import { shortId } from '../../render/short.ts';
import { fieldsIn } from '../../request/read.ts';
import { commandLine, sameService, withoutTimeout } from '../../settings/command-line.ts';
import { isWithin } from '../../system/paths.ts';
import { askArgument } from '../ask-argument.ts';
import { noteNames } from '../operation/dry-run.ts';
import { pickNamed } from '../operation/pick.ts';
import { type RemoteRepository, registryUrl } from './http-registry.ts';
import { inputOf, parseReference, type RevisionReference } from './reference.ts';
import { referenceOf, registryOf, registryRepositoryOf, type Session, withSession } from './session.ts';
import { openShelf } from './shelf.ts';

export async function pullRevision(invocation: Invocation, { args: [given] }: LocalInput): Promise<Result> {
  const { context, globals, argv } = invocation;
  const text = given ?? (await chosenReference(invocation));
  const reference = parseReference(text);
  const folder = targetOf(context.cwd, globals.outputFile ?? reference.namespace);
  const replace = globals.force === true;
  const { checkTargetFolder } = await import('../../store/folder.ts');
  const target = await holdTarget(context, folder);
  await checkTargetFolder(target.path, replace, folder).finally(target.close);

  const next = commandLine(withoutTimeout(argv), given === undefined ? [[text]] : []);
  const input = inputOf(reference, reference.revision);
  return withSession(invocation, { next, input }, async (session) => {
    const repository = await registryRepositoryOf(reference, session, !globals.dryRun);
    if (globals.dryRun) {
      const { revision } = reference;
      await noteNames(invocation, operationsFor('artifacts').getManifest, { input: input ?? {} }, session.connection);
      const url = registryUrl(session.connection.target.base, repository, '/manifests/{value}', revision);
      return { kind: 'value', value: { method: 'GET', url, folder } };
    }
    const revision = await revisionOf(reference, session);
    const { digest, files } = await intoFolder(session, repository, revision, { folder, replace }).catch(
      async (error: unknown) => {
        throw isMissing(error) ? await explained(error, text, reference, session) : error;
      },
    );
    const value = {
      reference: referenceOf(repository, revision),
      digest,
      folder,
      files: files.map(({ name }) => name).sort(),
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    };
    const count = amount(files.length, 'file');
    const done = `Pulled ${text} to ${folder}  ${count}, ${sizeText(value.bytes)}  ${shortId(digest)}`;
    return { kind: 'value', value, done: { text: done, isWhole: true } };
  });
}

const isMissing = (error: unknown): error is DtpError =>
  error instanceof DtpError && error.code === 'not_found' && error.facts.path?.includes('/manifests/') === true;

const mostTags = 10;

/** Returns the error, which says what is missing, and lists the tags of a namespace of the credential's workspace. */
async function explained(
  { code, facts }: DtpError,
  text: string,
  { namespace, revision, organization }: RevisionReference,
  { calls, invocation: { globals } }: Session,
): Promise<DtpError> {
  const { status, method, path } = facts;
  const because = (what: string, more: Facts = {}) =>
    new DtpError(code, `${status} from ${method} ${path}: ${what}`, { ...facts, ...more });
  if (organization !== undefined) return because(`${text} does not exist`);
  try {
    const operation = operationsFor('artifacts').getTags;
    const { signal } = calls.begin(operation);
    const value = await call(calls.connection, operation, { namespace_name: namespace }, signal);
    const items = fieldsIn(value).items;
    const tags = Array.isArray(items) ? items.map((one) => String(fieldsOf(one).name)) : [];
    const named = [...tags.slice(0, mostTags), ...(tags.length > mostTags ? ['…'] : [])].join(', ');
    return because(`${namespace} has no ${isDigest(revision) ? 'revision' : 'tag'} ${revision}`, {
      hint: tags.length === 0 ? 'It has no tags. List its revisions:' : `Its tags: ${named}. List what exists:`,
    });
  } catch (error) {
    if (!(error instanceof DtpError)) throw error;
    if (error.code !== 'not_found') return because(`${text} does not exist`);
    return because(`the namespace ${namespace} does not exist`, {
      next: [commandLine(['artifacts', 'namespaces', 'list', ...sameService(globals, false)])],
    });
  }
}

/** Returns the tag or the full digest. A shortened digest is looked up. */
async function revisionOf(reference: RevisionReference, { invocation, calls }: Session): Promise<string> {
  const input = inputOf(reference, reference.revision);
  if (input === undefined) return reference.revision;
  const found = await withIds(invocation, operationsFor('artifacts').getManifest, { input }, calls);
  return String(found.input.revision_reference);
}

/** Prompts for a namespace and one of its revisions. Returns a reference. Throws `usage` if it cannot prompt. */
async function chosenReference(invocation: Invocation): Promise<string> {
  const { context, globals, argv, log } = invocation;
  const asked = { given: { argv, args: [], flags: {}, flow: {} }, globals };
  const { answer, argv: whole } = await askArgument(invocation, ['REF'], async (prompts) => {
    const picked = await pickNamed({ context, prompts }, operationsFor('artifacts').getManifest, asked);
    const [namespace, revision = ''] = picked.map(({ value }) => value);
    return `${namespace}${revision.includes(':') ? '@' : ':'}${revision}`;
  });
  log.note(`Running: ${commandLine(whole)}`);
  return answer;
}

/** Returns the absolute path. Throws `usage` for the current folder or a parent: the shell would lose its folder. */
function targetOf(cwd: string, given: string): string {
  if (given === '-')
    throw new DtpError('usage', 'a pull writes a folder, not standard output', { hint: 'Name the folder with -O.' });
  const folder = resolve(cwd, given);
  if (isWithin(folder, cwd))
    throw new DtpError('usage', `cannot write ${given}: it is the current folder or one of its parents`, {
      hint: 'The folder would be replaced. Choose another one with -O.',
    });
  const fault = faultOfFileName(folder.split(sep).at(-1) ?? '');
  if (fault !== undefined)
    throw new DtpError('usage', `cannot write ${given}: ${fault}`, { hint: 'Choose another folder with -O.' });
  return folder;
}

/** Returns a system error with the path of the folder, instead of its descriptor. Other errors are unchanged. */
function withPath(error: unknown, held: string, folder: string): unknown {
  const { path } = systemCall(error);
  if (error instanceof Error && path?.startsWith(held))
    Object.assign(error, { path: folder + path.slice(held.length) });
  return error;
}

async function intoFolder(
  session: Session,
  repository: RemoteRepository,
  revision: string,
  { folder, replace }: { readonly folder: string; readonly replace: boolean },
): Promise<Pulled> {
  const { invocation, signal } = session;
  const { context, globals, log } = invocation;
  const retries = Number(globals.retry ?? 0);
  const registry = registryOf(session, repository, true);
  const { openIncoming } = await import('../../store/folder.ts');
  const target = await holdTarget(context, folder);
  const incoming = await openIncoming(target.path, replace, folder).catch(async (error: unknown) => {
    await target.close();
    throw error;
  });
  // After an interrupt, the cleanup may have to delete thousands of files.
  context.setGrace(2000);
  try {
    const pulled = await withSpinner(context, `pulling ${repository.namespace}`, (show) =>
      pull(registry, revision, openShelf(incoming, signal, context.runtime.platform), {
        signal,
        tell: (done, total) => show({ done, total }),
        again: async (count, why) => {
          if (count > retries || !(why instanceof DtpError && isRetriedByDownload(why.facts))) throw why;
          const ms = waitAfter(defaultRetryPolicy, count, context.random());
          log.retry(count, why.message, ms);
          await context.clock.sleep(ms, signal);
        },
      }),
    );
    signal.throwIfAborted();
    await incoming.claim();
    return pulled;
  } catch (error) {
    throw withPath(error, dirname(target.path), dirname(folder));
  } finally {
    await incoming.drop().finally(target.close);
  }
}
