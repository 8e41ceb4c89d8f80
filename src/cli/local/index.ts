/** The local commands, added to the tree of operations. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { operations } from '../../operations/index.ts';
import type { Globals } from '../globals.ts';
import type { RunOperation } from '../input.ts';
import { wordsOf } from '../tree.ts';
import { addApi } from './api.ts';
import { addArtifacts } from './artifacts.ts';
import { addAuth } from './auth.ts';
import { addAnswer, addCompletion } from './completion.ts';
import { addConfig } from './config.ts';
import { addDev } from './dev.ts';
import { addDoctor } from './doctor.ts';
import { addHelp } from './help.ts';
import { addMcp } from './mcp.ts';
import { addSchema } from './schema.ts';
import { addServe } from './serve.ts';
import { addSpool } from './spool.ts';

type Add = (program: Command, context: Context, argv: readonly string[], run: RunOperation) => void;

/** Those that stand beside the nouns of operations, in the order of the help. */
const beside: readonly Add[] = [
  addApi,
  addCompletion,
  addConfig,
  addDoctor,
  addServe,
  addDev,
  addMcp,
  addSchema,
  addHelp,
  addAnswer,
];

/** Those that stand among the operations of a noun. */
const below: Readonly<Record<string, Add>> = { auth: addAuth, events: addSpool, artifacts: addArtifacts };

export const addLocalCommands: Add = (program, ...rest) => {
  for (const add of beside) add(program, ...rest);
  program.hook('preAction', (_, command) => refuseUnsent(command, program.opts()));
};

/** Adds those of a noun. */
export function addLocalBelow(noun: string, ...rest: Parameters<Add>): void {
  below[noun]?.(...rest);
}

/** What each of them can show instead of doing it. */
const showing: Readonly<Record<string, readonly string[]>> = {
  api: ['dry-run', 'curl'],
  'artifacts pull': ['dry-run'],
  'artifacts push': ['dry-run'],
};

/** Who asks to be shown what would be done must not have it done; operations show it themselves. */
function refuseUnsent(command: Command, { dryRun, curl }: Globals): void {
  const asked = [...(dryRun ? ['dry-run'] : []), ...(curl ? ['curl'] : [])];
  if (asked.length === 0) return;
  const words = wordsOf(command).join(' ');
  if (Object.values(operations).some((one) => one.command.join(' ') === words)) return;
  const refused = asked.find((one) => !showing[words]?.includes(one));
  if (refused === undefined) return;
  throw new DtpError('usage', `--${refused}: dtp ${words} is no single request that could be shown`);
}
