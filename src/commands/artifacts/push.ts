/** Implements `dtp artifacts push`, which uploads a document or a folder as a revision of a namespace. */

import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { scalarText } from '../../documents/references.ts';
import { DtpError } from '../../errors.ts';
import { faultOnWindows } from '../../flows/names.ts';
import { manifestOf, type PushedRevision, push } from '../../flows/push.ts';
import { isDocumentName } from '../../input/references.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { LocalInput, pushFlags } from '../../local/flags.ts';
import { defaultRetryPolicy, waitAfter } from '../../operations/retry-rules.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { amount, sizeText } from '../../render/amounts.ts';
import { shortId } from '../../render/short.ts';
import { commandLine, sameService, withoutTimeout } from '../../settings/command-line.ts';
import { isOn } from '../../settings/switches.ts';
import { askArgument } from '../ask-argument.ts';
import { writeBundle } from './bundle.ts';
import { type Contents, contentsOf } from './contents.ts';
import type { RemoteRepository } from './http-registry.ts';
import { inputOf, parseReference, parseTags } from './reference.ts';
import { referenceOf, registryOf, registryRepositoryOf, type Session, withSession } from './session.ts';

/** `check` gets the real path of each file before anything is sent. It throws if the file must not be read. */
interface Place {
  readonly root: string;
  readonly check: (real: string) => void;
}

type PushInput = LocalInput<typeof pushFlags> & { readonly place?: Place };

export async function pushRevision(invocation: Invocation, input: PushInput): Promise<Result> {
  const { context, globals, log } = invocation;
  const { args, argv, known } = await completeArguments(invocation, input);
  const [given = '', revision] = args;
  const { flags } = input;
  const { reference, tags } = targetOf(revision, flags);
  const { root, check } = input.place ?? {};
  const contents =
    known ?? (await contentsOf({ ...context, warn: log.warn, ...(root && { root }) }, given, flags.include));
  for (const { name, real } of contents.files) {
    check?.(real);
    const fault = faultOnWindows(name);
    if (fault !== undefined) log.warn(`${JSON.stringify(name)} cannot be pulled on Windows: ${fault}`);
  }
  const next = commandLine(withoutTimeout(argv));
  return withSession(invocation, { next, input: inputOf(reference) }, async (session) => {
    const repository = await registryRepositoryOf(reference, session, !globals.dryRun);
    // List the files before sending them, because a document from somebody else may refer to private files.
    if (!globals.dryRun) {
      const names = contents.files.map(({ name }) => name);
      const own = basename(given);
      const isRenamed = isDocumentName(own) && names[0] !== own;
      if (names.length === 1) log.note(`pushing ${isRenamed ? `${own} as ` : ''}${names[0]}`);
      else noteList(invocation, `pushing ${amount(names.length, 'file')}:`, names);
    }
    const bundle = await withSpinner(context, `packing ${amount(contents.files.length, 'file')}`, () =>
      writeBundle(contents.files, join(tmpdir(), `dtp-push-${randomUUID()}`), session.signal),
    );
    try {
      const manifest = manifestOf(bundle, annotationsOf(contents));
      const uploaded = globals.dryRun ? 0 : await send(session, repository, { bundle, manifest, tags });
      const value = {
        reference: referenceOf(repository, tags[0] ?? manifest.digest),
        digest: manifest.digest,
        size: bundle.size,
        files: contents.files.map(({ name }) => name),
        tags,
        uploaded,
      };
      if (globals.dryRun) log.note('nothing was sent');
      if (globals.dryRun) return { kind: 'value', value };
      const name = `${reference.namespace}${tags[0] === undefined ? '' : `:${tags[0]}`}`;
      const size = `${amount(contents.files.length, 'file')}, ${sizeText(bundle.unpacked)}`;
      context.journal?.did({ what: name, amount: size });
      const text = `Pushed ${name}  ${size}  ${shortId(manifest.digest)}`;
      const list = ['artifacts', 'tags', 'list', [reference.namespace] as const, ...sameService(globals)];
      return { kind: 'value', value, done: { text, next: list, isWhole: true } };
    } finally {
      await bundle.close();
    }
  });
}

/** The arguments of a push, and the command line with them. On a terminal, missing ones are asked for. */
async function completeArguments(
  invocation: Invocation,
  { args: [given, target], flags: { namespace, include } }: LocalInput<typeof pushFlags>,
): Promise<{ readonly args: readonly (string | undefined)[]; readonly argv: readonly string[]; known?: Contents }> {
  const isWhole = (target ?? namespace) !== undefined;
  let { argv } = invocation;
  let file = given;
  if (file === undefined) {
    const words = ['FILE', ...(isWhole ? [] : ['NAMESPACE:TAG'])] as const;
    const asked = await askArgument({ ...invocation, argv }, words, (prompts) =>
      prompts.text('API document, or a folder with openapi.yaml:'),
    );
    [file, argv] = [asked.answer, asked.argv];
  }
  if (isWhole) return { args: [file, target], argv };
  let known: Contents | undefined;
  const asked = await askArgument({ ...invocation, argv }, ['NAMESPACE:TAG'], async (prompts) => {
    // A wrong file is reported before the next question.
    known = await contentsOf({ ...invocation.context, warn: invocation.log.warn }, file, include);
    return prompts.text('NAMESPACE:TAG (a new namespace is created):');
  });
  invocation.log.note(`Running: ${commandLine(asked.argv)}`);
  return { args: [file, asked.answer], argv: asked.argv, ...(known && { known }) };
}

/** Returns the namespace and the tags of the new revision. Throws `usage` if one of them is invalid. */
function targetOf(revision: string | undefined, { namespace, tag = [] }: LocalInput<typeof pushFlags>['flags']) {
  if (revision !== undefined && namespace !== undefined)
    throw new DtpError('usage', `pass either "${revision}" or --namespace, not both`);
  const target = revision ?? namespace ?? '';
  const reference = parseReference(target);
  if (namespace !== undefined && /[:@]/.test(namespace))
    throw new DtpError('usage', `--namespace must be only a namespace, not "${namespace}"`, {
      hint: 'Pass tags with --tag.',
    });
  if (target.includes('@'))
    throw new DtpError('usage', `the digest of a new revision cannot be chosen: "${target}"`, {
      hint: 'Use NAMESPACE:TAG.',
    });
  return { reference, tags: parseTags([...(target.includes(':') ? [reference.revision] : []), ...tag]) };
}

/** The longest wait that the registry may request with Retry-After. A longer wait ends the push. */
const longestWaitMs = 60_000;

async function send(session: Session, repository: RemoteRepository, revision: PushedRevision): Promise<number> {
  const { context, log } = session.invocation;
  const registry = registryOf(session, repository, false);
  return withSpinner(context, `pushing ${repository.namespace}`, (show) =>
    push(registry, revision, {
      wait: async (count, why) => {
        if ((why.facts.waitMs ?? 0) > longestWaitMs) throw why;
        const ms = waitAfter(defaultRetryPolicy, count, context.random(), why.facts);
        log.retry(count, why.message, ms);
        await context.clock.sleep(ms, session.signal);
      },
      tell: (sent) => show({ done: sent, total: revision.bundle.size }),
    }),
  );
}

/** Returns the title, version and description of the document as annotations of the OCI specification. */
function annotationsOf({ document }: Contents): Readonly<Record<string, string>> {
  const info = document.get('info');
  return Object.fromEntries(
    ['title', 'version', 'description'].flatMap((name) => {
      const text = info instanceof Map ? scalarText(info.get(name)) : undefined;
      return text ? [[`org.opencontainers.image.${name}`, text]] : [];
    }),
  );
}

/** The number of lines from which a list is a section. */
const fewest = 10;

/** Writes a title and a list below it. In the log of a GitLab job, a reader can open and close a long one. */
function noteList({ context, log }: Invocation, title: string, lines: readonly string[]): void {
  const isSection = isOn(context.env.GITLAB_CI) && lines.length >= fewest;
  const name = `dtp_${context.uuid()}`;
  // GitLab only recognizes a mark with these control characters, which notes never contain.
  const mark = (kind: 'start' | 'end', options: string, end: string) => {
    const time = Math.floor(context.date().getTime() / 1000);
    if (isSection) context.stderr.write(`\u001b[0Ksection_${kind}:${time}:${name}${options}\r\u001b[0K${end}`);
  };
  mark('start', '[collapsed=true]', '');
  for (const line of [title, ...lines.map((one) => `  ${one}`)]) log.note(line);
  mark('end', '', '\n');
}
