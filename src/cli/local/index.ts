/** The local commands, added to the tree of operations. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import type { Globals } from '../globals.ts';
import type { RunOperation } from '../input.ts';
import { addApi } from './api.ts';
import { addArtifacts } from './artifacts.ts';
import { addAuth } from './auth.ts';
import { addComplete } from './complete.ts';
import { addCompletion } from './completion.ts';
import { addConfig } from './config.ts';
import { addDev } from './dev.ts';
import { addDoctor } from './doctor.ts';
import { addHelp } from './help.ts';
import { addMcp } from './mcp.ts';
import { addSchema } from './schema.ts';
import { addServe } from './serve.ts';
import { addSpool } from './spool.ts';

export function addLocalCommands(
  program: Command,
  context: Context,
  argv: readonly string[],
  run: RunOperation,
): void {
  const known = new Set(leavesOf(program));
  addApi(program, context, argv, run);
  addAuth(program, context);
  addComplete(program, context, argv);
  addCompletion(program, context);
  addConfig(program, context);
  addDoctor(program, context);
  addServe(program, context);
  addDev(program, context, argv);
  addSpool(program, context, argv);
  addMcp(program, context);
  addArtifacts(program, context, argv);
  addSchema(program, context);
  addHelp(program, context);
  for (const command of leavesOf(program))
    if (!known.has(command)) command.hook('preAction', () => refuseUnsent(command, program.opts()));
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

/** What each of them can show instead of doing it. */
const showing: Readonly<Record<string, readonly string[]>> = {
  api: ['dry-run', 'curl'],
  pull: ['dry-run'],
  push: ['dry-run'],
};

/** Who asks to be shown what would be done must not have it done. */
function refuseUnsent(command: Command, { dryRun, curl }: Globals): void {
  const asked = [...(dryRun ? ['dry-run'] : []), ...(curl ? ['curl'] : [])];
  const refused = asked.find((one) => !showing[command.name()]?.includes(one));
  if (refused === undefined) return;
  throw new DtpError('usage', `--${refused}: ${pathOf(command)} is no single request that could be shown`);
}
