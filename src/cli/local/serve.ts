/** `dtp serve`: the embedded service on loopback, until it is interrupted. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { wordsOf } from '../connection.ts';
import type { Globals } from '../globals.ts';
import { outputOf } from '../output.ts';
import { resolveSettings } from '../settings.ts';
import { checkTrusted } from '../trust.ts';
import { write } from '../write.ts';
import { openServer, refuseWorkspace, type Server, type ServerOptions } from './server.ts';

export function addServe(program: Command, context: Context): void {
  addServerOptions(program.command('serve'))
    .description('Run the embedded service on loopback until it is interrupted')
    .addHelpText(
      'after',
      "\nWhere it does less than the platform it says so: in a command's help,\nand in the header dtp-simplified of the answer.",
    )
    .action(async (options: ServerOptions) => serve(context, program.opts(), options));
}

/** What `serve` and `dev` take. */
export const addServerOptions = (command: Command): Command =>
  command
    .option('--port <number>', 'the port; 0 is any that is free', '0')
    .option('--data <folder>', 'where it keeps its store (default: the folder of the profile local)')
    .option('--ephemeral', 'keep everything in memory and leave nothing behind')
    .option('--fail <fault>', "answer with a status: 'postWorkspaceEvents=503x2', '*=500@20%'", gather, [])
    .option('--drop <fault>', "cut the connection: 'uploadReport=after-request'", gather, [])
    .option('--latency <time>', 'wait before each answer, such as 200ms');

const gather = (value: string, before: readonly string[]) => [...before, value];

async function serve(context: Context, globals: Globals, options: ServerOptions): Promise<void> {
  refuseWorkspace(globals, 'Leave it out.');
  const settings = await resolveSettings(context, globals);
  for (const key of ['words.codehost', 'words.docsite'] as const) checkTrusted(settings, key);
  const output = await outputOf(context, globals, settings);
  const server = await openServer(context, options, [wordsOf(settings)]);
  try {
    await write(context, output.asked === 'json' ? facts(server, context.pid) : welcome(server));
    if (!context.signal.aborted)
      await new Promise((done) => context.signal.addEventListener('abort', done, { once: true }));
  } catch (error) {
    await server.close();
    throw error;
  }
  // Not in order where requests had to be cut: then the exit code is the interrupt's.
  if (!(await server.close())) throw context.signal.reason;
}

/** One line, for scripts. */
const facts = ({ address, key, workspace }: Server, pid: number) =>
  `${JSON.stringify({ address, key, workspace_id: workspace, pid })}\n`;

const welcome = ({ address, key, workspace }: Server) => `\
The embedded service listens on ${address}

In another terminal:
  export DTP_BASE_URL=${address}
  export DTP_API_KEY=${key}
  export DTP_WORKSPACE_ID=${workspace}
  dtp ws current
`;
