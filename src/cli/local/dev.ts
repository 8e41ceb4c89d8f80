/** `dtp dev -- COMMAND…`: a command with the embedded service beside it. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError, ExitCode } from '../../errors.ts';
import { addServerOptions } from './serve.ts';
import { openServer, type ServerOptions } from './server.ts';

export function addDev(program: Command, context: Context, argv: readonly string[]): void {
  addServerOptions(program.command('dev'))
    .description('Run a command with the embedded service beside it: dtp dev -- COMMAND…')
    .argument('[command...]', 'after --, the command; it finds the service in its environment')
    .action(async (_: unknown, options: ServerOptions) => dev(context, options, argv));
}

/** The command's exit code is this one's. */
async function dev(context: Context, options: ServerOptions, argv: readonly string[]): Promise<void> {
  const [name, ...args] = argv.includes('--') ? argv.slice(argv.indexOf('--') + 1) : [];
  if (name === undefined)
    throw new DtpError('usage', 'a command is missing', { next: ['dtp dev -- npm test'] });
  const server = await openServer(context, options);
  try {
    const { DTP_PROFILE: _, DTP_TOKEN: __, DTP_WORKSPACE_IDENTIFIER: ___, ...env } = context.env;
    const code = await context.spawn(name, args, {
      ...env,
      DTP_BASE_URL: server.address,
      DTP_API_KEY: server.key,
      DTP_WORKSPACE_ID: server.workspace,
    });
    if (code !== 0) throw new ExitCode(code);
  } finally {
    await server.close();
  }
}
