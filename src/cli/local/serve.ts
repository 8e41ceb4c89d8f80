/** `dtp serve`: the embedded service on loopback. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { write } from '../emit.ts';
import type { Globals } from '../globals.ts';
import { outputOf } from '../output.ts';
import { resolveSettings } from '../settings.ts';

interface Options {
  readonly port: string;
  readonly data?: string;
  readonly ephemeral?: boolean;
}

export function addServe(program: Command, context: Context): void {
  program
    .command('serve')
    .description('Run the embedded service on loopback until it is interrupted')
    .option('--port <number>', 'the port; 0 is any that is free', '0')
    .option('--data <folder>', 'where it keeps its store (default: the folder of the profile local)')
    .option('--ephemeral', 'keep everything in memory and leave nothing behind')
    .action(async (options: Options) => serve(context, program.opts(), options));
}

async function serve(context: Context, globals: Globals, options: Options): Promise<void> {
  const port = Number(options.port);
  if (!/^\d+$/.test(options.port) || port > 65535)
    throw new DtpError('usage', `--port must be a number from 0 to 65535; "${options.port}" is not`);
  const output = outputOf(context, globals, await resolveSettings(context, globals));
  const { openEmbedded } = await import('./embedded.ts');
  const { listen } = await import('../../service/listen.ts');

  const folder = options.data === undefined ? undefined : resolve(context.cwd, options.data);
  const file = options.ephemeral ? ':memory:' : folder && join(folder, 'service.db');
  const embedded = await openEmbedded(context, file);
  try {
    const { address, close } = await listen(embedded.send, { port }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
      const why = error.code === 'EACCES' ? 'may not be used by you' : 'is in use';
      throw new DtpError('error', `port ${port} ${why}`, {
        hint: 'Give another with --port, or none for any that is free.',
      });
    });
    const { key, known } = embedded;
    const facts = { address, key, workspace_id: known.workspace, pid: context.pid };
    await write(context, output.asked === 'json' ? `${JSON.stringify(facts)}\n` : welcome(facts));
    if (!context.signal.aborted)
      await new Promise((done) => context.signal.addEventListener('abort', done, { once: true }));
    await close();
  } finally {
    await embedded.close();
  }
}

const welcome = (facts: { address: string; key: string; workspace_id: string | undefined }) => `\
The embedded service listens on ${facts.address}

In another terminal:
  export DTP_BASE_URL=${facts.address}
  export DTP_API_KEY=${facts.key}
  export DTP_WORKSPACE_ID=${facts.workspace_id}
  dtp ws current
`;
