/** The local commands, added to the tree of operations. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { addArtifacts } from './artifacts.ts';
import { addAuth } from './auth.ts';
import { addConfig } from './config.ts';
import { addDev } from './dev.ts';
import { addHelp } from './help.ts';
import { addServe } from './serve.ts';
import { addSpool } from './spool.ts';

export function addLocalCommands(program: Command, context: Context, argv: readonly string[]): void {
  addAuth(program, context);
  addConfig(program, context);
  addServe(program, context);
  addDev(program, context, argv);
  addSpool(program, context, argv);
  addArtifacts(program, context, argv);
  addHelp(program);
}
