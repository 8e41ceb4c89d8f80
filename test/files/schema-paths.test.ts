/** Every flag, argument and variable that may take a path is in a table, so that a new one cannot be forgotten. */
import { expect, test } from 'vitest';
import { variables } from '../../src/declarations/variables.ts';
import { dtp } from '../support/context.ts';
import { fromTables, otherVariables, pathVariables } from '../support/path-table.ts';

interface Parameter {
  readonly name: string;
  readonly value?: string;
  readonly type?: string;
  readonly help: string;
}

interface Schema {
  readonly global_flags: readonly Parameter[];
  readonly commands: readonly {
    readonly command: string;
    readonly flags: readonly Parameter[];
    readonly arguments: readonly Parameter[];
  }[];
}

/** JSON values may be `@FILE` too. */
const mayBePath = ({ name, value, type, help }: Parameter) =>
  ['file', 'json'].includes(type ?? '') || words.test(value ?? '') || words.test(help) || words.test(name);

const words = /\b(files?|folders?|paths?|dir|directory)\b/i;

test('every parameter that may take a path is in the table, with its attack or with the reason why it takes none', async () => {
  const { stdout } = await dtp(['schema', '--all', '-o', 'json']);
  const schema: Schema = JSON.parse(stdout);
  const names = new Set(schema.global_flags.filter(mayBePath).map(({ name }) => name));
  for (const { command, flags, arguments: args } of schema.commands) {
    for (const flag of flags) if (mayBePath(flag)) names.add(flag.name);
    for (const argument of args) if (mayBePath(argument)) names.add(`${command} ${argument.name}`);
  }
  expect([...names].sort()).toEqual([...fromTables].sort());
});

test('every variable is in a table', () => {
  const known = Object.entries(variables).filter(([, { help }]) => /file|folder|where/i.test(help));
  expect(known.map(([name]) => name).sort()).toEqual([...pathVariables, ...Object.keys(otherVariables)].sort());
});
