/** Records of commands that dtp does not have. */
import type { ArgumentEntry, CommandEntry, FlagEntry } from '../../src/tree/entry.ts';

export const command = (given: Partial<CommandEntry>): CommandEntry => {
  const { words = [] } = given;
  return {
    name: words.at(-1) ?? 'dtp',
    words,
    title: ['dtp', ...words].join(' '),
    aliases: [],
    summary: '',
    isHidden: false,
    commands: [],
    commandNamed: () => undefined,
    arguments: [],
    flags: [],
    ...given,
  };
};

const plain = { help: '', required: false, isAsked: false, repeatable: false } as const;

export const flag = (given: Partial<FlagEntry> & Pick<FlagEntry, 'name'>): FlagEntry => ({
  ...plain,
  type: 'string',
  brief: given.help ?? '',
  group: 'options',
  negatable: false,
  isHidden: false,
  ...given,
});

export const argument = (given: Partial<ArgumentEntry> & Pick<ArgumentEntry, 'name'>): ArgumentEntry => ({
  ...plain,
  type: 'string',
  required: true,
  ...given,
});
