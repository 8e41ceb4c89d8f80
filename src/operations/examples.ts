/** Collects two examples of each command, by the id of its operation. */
import { access } from './examples/access.ts';
import { events } from './examples/events.ts';
import { generation } from './examples/generation.ts';
import type { OperationId } from './index.ts';
import type { Example, Examples } from './operation.ts';

/** The code does not compile if an operation id is missing or unknown. */
const all = { ...access, ...events, ...generation } as const satisfies {
  readonly [Id in OperationId]: Examples[string];
};

/** Converts the examples of a command from the form in which they are written. */
export const examplesIn = (own: Examples[string]): readonly Example[] =>
  Object.entries(own).map(([says, run]) => ({ says, ...(typeof run === 'string' ? { command: run } : run) }));

export const examples: Readonly<Record<string, readonly Example[]>> = Object.fromEntries(
  Object.entries<Examples[string]>(all).map(([id, own]) => [id, examplesIn(own)]),
);
