/** Writes the shortest command line that works, with a placeholder for each value: `delete TOKEN-ID --yes`. */
import { harmOf, type Operation } from '../../operations/operation.ts';
import type { CommandEntry } from '../../tree/entry.ts';
import { type Flag, flagsOf, isRequired, isWholeRecord, neededFlags } from '../../tree/operation-flags.ts';
import { repositoryFlag } from '../../tree/vocabulary.ts';

const placeholders = { string: 'X', integer: 'N', datetime: 'TIME', json: 'JSON', file: 'FILE' } as const;

/** Returns the line without `dtp` and the noun. Brackets mean optional, and `--a|--b` that one of them is enough. */
export function shortestLine({ name, operation, local, arguments: all }: CommandEntry): string {
  const args = all.map(({ name: word, required, repeatable, field = '' }) => {
    const shown = `${word.toUpperCase()}${repeatable ? '...' : ''}`;
    return required || operation?.input[field]?.wanted ? shown : `[${shown}]`;
  });
  const flags = operation ? requiredWords(operation) : [];
  const yes = harmOf(operation ?? { id: '', ...local }) === undefined ? [] : ['--yes'];
  return [name, ...args, ...flags, ...yes].join(' ');
}

function requiredWords(operation: Operation): readonly string[] {
  const words = Object.entries(operation.input)
    .filter(([name, field]) => name !== operation.operand && (isRequired(operation, name) || field.wanted))
    .flatMap(([name, field]) => {
      if (field.in === 'path') return [];
      if (field.in === 'body' && field.many) return ['--body @FILE'];
      const needed = neededFlags(operation, name);
      if (isWholeRecord(operation, name)) return [`${needed.map(({ label }) => label).join('|')} X`];
      return (needed.length > 0 ? needed : flagsOf(operation).filter((one) => one.field === name)).map(flagWords);
    });
  // Both fields of a repository have the same flag.
  return [...new Set(words)];
}

function flagWords({ label, kind }: Flag): string {
  if (kind === 'boolean') return label;
  return `${label} ${label === `--${repositoryFlag}` ? 'OWNER/NAME' : placeholders[kind]}`;
}
