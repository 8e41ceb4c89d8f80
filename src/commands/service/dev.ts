/** `dtp dev -- COMMAND…`: runs a command with the embedded service. */
import { join } from 'node:path';
import { DtpError, ExitCode } from '../../errors.ts';
import { wordsOf } from '../../invocation/connect.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import type { LocalInput, serverFlags } from '../../local/flags.ts';
import { amount } from '../../render/amounts.ts';
import { commandLine, flagsWith } from '../../settings/command-line.ts';
import { countEvents, dropQueued, queuePortOf } from './queued.ts';
import { openServer, refuseSelection, type ServerFlags } from './server.ts';

/** Returns the command after `--`. Throws `usage` without a command, or if an argument is in front of `--`. */
function commandIn(words: readonly string[], argv: readonly string[]): readonly string[] {
  const command = argv.includes('--') ? argv.slice(argv.indexOf('--') + 1) : [];
  const next = ['dtp dev -- npm test'];
  if (words.length > command.length) throw new DtpError('usage', 'pass the command of dtp dev after --', { next });
  if (command.length === 0) throw new DtpError('usage', 'dtp dev needs a command after --', { next });
  return command;
}

/** Exits with the command's exit code. The service outlives an interrupt, because the command may send last events. */
export async function runBeside(invocation: Invocation, { args: words, flags }: LocalInput<typeof serverFlags>) {
  const { context, globals, argv, log } = invocation;
  const [name = '', ...args] = commandIn(words, argv);
  refuseSelection(globals, 'If it is for the command, give it after --.');
  const { DTP_PROFILE: _, DTP_TOKEN: __, DTP_WORKSPACE_IDENTIFIER: ___, ...env } = context.env;
  // The command does not use the profile given to `dtp dev`, but may use the words of either, so both are accepted.
  const way = { collectFaults: true, readOnly: true };
  const child = await openInvocation({ ...context, env }, { globals: {}, way });
  const both = [child, invocation].map(({ settings }) => wordsOf(settings));
  const server = await openServer(context, log, flags, { words: both });
  const start = context.date().getTime();
  try {
    // Events for this service do not belong in the spool of the user's real service.
    const state = flags.ephemeral ? context.openTemporary() : join(server.folder, 'state');
    context.setGrace(Infinity);
    // The terminal belongs to the command now, so a Ctrl-C must not print anything between its lines.
    context.displays.add(() => undefined);
    const code = await context.spawn({
      name,
      args,
      env: {
        ...env,
        DTP_BASE_URL: server.url,
        DTP_API_KEY: server.key,
        DTP_WORKSPACE_ID: server.workspace,
        DTP_WORKSPACE_SLUG: server.workspaceSlug,
        DTP_ORGANIZATION_SLUG: server.organizationSlug,
        DTP_STATE_DIR: state,
      },
    });
    if (flags.ephemeral) await dropQueued(invocation, state);
    else await reportQueued(invocation, flags, state, { url: server.url, start });
    if (code !== 0) throw new ExitCode(code);
    return undefined;
  } finally {
    await server.close();
  }
}

interface Run {
  readonly url: string;
  /** In milliseconds since 1970. */
  readonly start: number;
}

/**
 * Reports undelivered events and how to deliver them. They are queued for the URL of the service, with the port of
 * this run. Events of an earlier run, which had another port, are left out, because that run has reported them.
 */
async function reportQueued({ context, log }: Invocation, { data }: ServerFlags, state: string, { url, start }: Run) {
  const entries = await context
    .openSpool(state)
    .then((spool) => spool.list())
    .catch((error: Error) => {
      log.warn(`cannot read the queued events of the command: ${error.message}`);
      return [];
    });
  const pending = entries.filter(
    (entry) => entry.state === 'pending' && (entry.base === url || Date.parse(entry.created_at ?? '') >= start),
  );
  for (const base of new Set(pending.map((entry) => entry.base ?? ''))) {
    const events = countEvents(pending.filter((entry) => entry.base === base));
    const port = queuePortOf(base);
    const own = ['dev', ...flagsWith({ port, data })];
    const flush = commandLine([...own, '--', 'dtp', 'events', 'queue', 'flush']);
    // Events for another service need a credential that is not known here.
    const how = port === undefined ? '' : `; deliver them with: ${flush}`;
    log.note(`${amount(events, `event for ${base} is`, `events for ${base} are`)} queued in ${state}${how}`);
  }
}
