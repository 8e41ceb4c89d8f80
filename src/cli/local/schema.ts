/** `dtp schema [COMMAND…]`: what there is to be called, for programs. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { checkOutput, emitResult } from '../emit.ts';
import type { Globals } from '../globals.ts';
import { openLog } from '../log.ts';
import { outputOf } from '../output.ts';
import { resolveSettings } from '../settings.ts';
import { findCommand } from './help.ts';

interface SchemaOptions {
  readonly all?: boolean;
  readonly jsonSchema?: boolean;
}

export function addSchema(program: Command, context: Context): void {
  program
    .command('schema')
    .description('Print what a command takes and does, for programs')
    .argument('[command...]', 'its words, such as: ws tokens create; an index of all where there are none')
    .option('--all', 'every command with all that is known of it')
    .option('--json-schema', 'the JSON Schema of what is printed')
    .action(async (names: readonly string[], { all, jsonSchema }: SchemaOptions) => {
      const globals: Globals = program.opts();
      if ((names.length > 0 ? 1 : 0) + (all ? 1 : 0) + (jsonSchema ? 1 : 0) > 1)
        throw new DtpError('usage', 'a command, --all and --json-schema exclude each other');
      if (jsonSchema) {
        const { jsonSchema: document } = await import('../../generate/json-schema.ts');
        return emitDocument(context, globals, document);
      }
      if (all) {
        const { wholeSchema } = await import('../../generate/schema.ts');
        return emitDocument(context, globals, wholeSchema(program));
      }
      await emitSchema(context, globals, program, await findCommand(program, names, ['schema']));
    });
}

/** Prints the index, or what is known of one command. */
export async function emitSchema(
  context: Context,
  globals: Globals,
  program: Command,
  command: Command,
): Promise<void> {
  const { schemaOf } = await import('../../generate/schema.ts');
  await emitDocument(context, globals, schemaOf(program, command));
}

/** Prints a value as a result is printed. An index is a list; the others are one record each. */
export async function emitDocument(context: Context, globals: Globals, document: object): Promise<void> {
  const settings = await resolveSettings(context, globals, { mending: true });
  const output = await outputOf(context, globals, settings);
  await checkOutput(output);
  const isList = 'kind' in document && (document.kind === 'index' || document.kind === 'group');
  const list = isList ? { rows: 'commands', columns: ['command', 'effect', 'summary'] } : {};
  await emitResult(context, document, output, list, openLog(context, globals));
}
