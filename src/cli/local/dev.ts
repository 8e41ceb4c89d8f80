/** `dtp dev -- COMMAND…`: a command with the embedded service beside it. */
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError, ExitCode } from '../../errors.ts';
import type { Words } from '../../operations/words.ts';
import type { Entry } from '../../store/spool.ts';
import { commandLine } from '../advice.ts';
import { wordsOf } from '../connection.ts';
import type { Globals } from '../globals.ts';
import { openLog } from '../log.ts';
import { resolveSettings } from '../settings.ts';
import { addServerOptions } from './serve.ts';
import { openServer, refuseWorkspace, type ServerOptions } from './server.ts';

export function addDev(program: Command, context: Context, argv: readonly string[]): void {
  addServerOptions(program.command('dev'))
    .description('Run a command with the embedded service beside it: dtp dev -- COMMAND…')
    .argument('[command...]', 'after --, the command; it finds the service in its environment')
    .action(async (words: readonly string[], options: ServerOptions) =>
      dev(context, program.opts(), options, commandIn(words, argv)),
    );
}

/** What stands after `--`; `words` are all arguments. Throws `usage` if it is nothing, or if anything stands before it. */
function commandIn(words: readonly string[], argv: readonly string[]): readonly string[] {
  const command = argv.includes('--') ? argv.slice(argv.indexOf('--') + 1) : [];
  const next = ['dtp dev -- npm test'];
  if (words.length > command.length)
    throw new DtpError('usage', 'the command of dtp dev must come after --, and nothing else before it', {
      next,
    });
  if (command.length === 0) throw new DtpError('usage', 'a command is missing', { next });
  return command;
}

/**
 * The command's exit code is this one's. The service stays until the command has ended, also after an interrupt: what the
 * command sends then, and its last lines, are part of the run.
 */
async function dev(
  context: Context,
  globals: Globals,
  options: ServerOptions,
  [name = '', ...args]: readonly string[],
): Promise<void> {
  refuseWorkspace(globals, 'If it is for the command, give it after --.');
  const { DTP_PROFILE: _, DTP_TOKEN: __, DTP_WORKSPACE_IDENTIFIER: ___, ...env } = context.env;
  const server = await openServer(context, options, await wordsFor({ ...context, env }, context, globals));
  try {
    // Events for this service do not belong into the spool of the user's real one.
    const state = options.ephemeral ? context.openTemporary() : join(server.folder, 'state');
    context.setGrace(Infinity);
    const code = await context.spawn({
      name,
      args,
      env: {
        ...env,
        DTP_BASE_URL: server.address,
        DTP_API_KEY: server.key,
        DTP_WORKSPACE_ID: server.workspace,
        DTP_WORKSPACE_SLUG: server.workspaceSlug,
        DTP_ORGANIZATION_SLUG: server.organizationSlug,
        DTP_STATE_DIR: state,
      },
    });
    await reportQueued(context, globals, options, state);
    if (code !== 0) throw new ExitCode(code);
  } finally {
    await server.close();
  }
}

/** Says how many events were not delivered, and how they still can be: queued events are for the port of their run. */
async function reportQueued(
  context: Context,
  globals: Globals,
  { ephemeral, data }: ServerOptions,
  state: string,
): Promise<void> {
  const log = openLog(context, globals);
  const entries = await context
    .openSpool(state)
    .then((spool) => spool.list())
    .catch((error: Error) => {
      log.warn(`cannot read the queued events of the command: ${error.message}`);
      return [];
    });
  if (ephemeral) {
    const events = countEvents(entries);
    if (events > 0) log.warn(`${events} events were not delivered and are gone with the ephemeral service`);
    return;
  }
  const pending = entries.filter((entry) => entry.state === 'pending');
  for (const base of new Set(pending.map((entry) => entry.base ?? ''))) {
    const events = countEvents(pending.filter((entry) => entry.base === base));
    const [, port] = /^http:\/\/127\.0\.0\.1:(\d+)$/.exec(base) ?? [];
    const own = ['--port', port ?? '', ...(data === undefined ? [] : ['--data', data])];
    const flush = commandLine(['dev', ...own, '--', 'dtp', 'events', 'spool', 'flush']);
    // One for another service, which the command has named itself, needs a credential that is not known here.
    const how = port === undefined ? '' : `; deliver them with: ${flush}`;
    log.note(`${events} events for ${base} are queued in ${state}${how}`);
  }
}

const countEvents = (entries: readonly Entry[]) => entries.reduce((sum, { events = 0 }) => sum + events, 0);

/** The command reads its own settings, without the profile given here. Either of the two may name the words it uses. */
async function wordsFor(child: Context, context: Context, globals: Globals): Promise<readonly Words[]> {
  // The service itself needs no settings, so broken ones do not stop it.
  const options = { mending: true, looking: true };
  const both = [resolveSettings(child, {}, options), resolveSettings(context, globals, options)];
  return (await Promise.all(both)).map(wordsOf);
}
