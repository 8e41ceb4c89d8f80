/** `dtp schema [COMMAND…]`: describes the commands for programs. */
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { LocalInput, schemaFlags } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import type { CommandEntry } from '../../tree/entry.ts';
import { rootCommand } from '../../tree/tree.ts';

export async function printSchema(
  _: Invocation,
  { args: names, flags: { all, jsonSchema } }: LocalInput<typeof schemaFlags>,
): Promise<Result> {
  if ((names.length > 0 ? 1 : 0) + (all ? 1 : 0) + (jsonSchema ? 1 : 0) > 1)
    throw new DtpError('usage', 'a command, --all and --json-schema cannot be combined');
  if (jsonSchema) {
    const { jsonSchema } = await import('../../describe/json-schema.ts');
    return documentResult(jsonSchema);
  }
  if (all) {
    const { wholeSchema } = await import('../../describe/schema.ts');
    return documentResult(wholeSchema());
  }
  return schemaResult(await findCommand(names, ['schema']));
}

/** The index of the commands, or the description of one command. */
export async function schemaResult(entry: CommandEntry): Promise<Result> {
  const { schemaOf } = await import('../../describe/schema.ts');
  return documentResult(schemaOf(entry));
}

/** An index is shown as a list, everything else as one record. */
export function documentResult(document: object): Result {
  const isList = 'kind' in document && (document.kind === 'index' || document.kind === 'group');
  const shape = isList ? { rows: 'commands', columns: ['command', 'effect', 'summary'] } : {};
  return { kind: 'value', value: document, shape };
}

/** Throws `usage` for an unknown command. Suggestions begin with `before`, and may be one of `others` instead. */
export async function findCommand(names: readonly string[], before: readonly string[], others: readonly string[] = []) {
  let found = rootCommand;
  for (const name of names) {
    const next = found.commandNamed(name);
    if (!next) {
      const { unknownWords } = await import('../../suggest/usage-errors.ts');
      throw unknownWords(names, before, others);
    }
    found = next;
  }
  return found;
}
