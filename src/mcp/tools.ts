/** Operations → tools: what each is called, what it says of itself, and which of them a client is let have. */

import { harms } from '../commands/confirm.ts';
import { DtpError } from '../errors.ts';
import { effectOf } from '../operations/effect.ts';
import { allOperations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { type InputSchema, inputSchema, withoutFlags } from './schema.ts';

/** A tool as a client is told of it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
}

/**
 * The command's words. Dashes become underscores: some clients take letters, digits and underscores alone, and at most 64
 * of them with a name of their own before them.
 */
export const toolName = (words: readonly string[]): string => words.join('_').replaceAll('-', '_');

const all: ReadonlyMap<string, Operation> = new Map(allOperations.map((one) => [toolName(one.command), one]));

export interface Choice {
  readonly allowWrites: boolean;
  /** Names in which `*` stands for anything; all where absent. */
  readonly patterns: readonly string[] | undefined;
}

/** The operations by the names of their tools. Throws `usage` for a pattern that fits none, or none that may be had. */
export function chooseTools({ allowWrites, patterns = ['*'] }: Choice): ReadonlyMap<string, Operation> {
  for (const pattern of patterns)
    if (![...all.keys()].some((name) => fits(name, pattern)))
      throw new DtpError('usage', `--tools: no tool is called ${pattern}`, {
        hint: "A tool is called as its command, with underscores: ws_tokens_list, 'events_*'.",
      });
  const asked = [...all].filter(([name]) => patterns.some((pattern) => fits(name, pattern)));
  const chosen = asked.filter(([, operation]) => allowWrites || effectOf(operation) === 'read');
  if (chosen.length === 0)
    throw new DtpError('usage', `--tools: ${patterns.join(' ')} only writes`, {
      hint: 'Say --allow-writes for tools that change things.',
    });
  return new Map(chosen);
}

function fits(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

/** Why a name is none of the chosen tools; undefined where there is no such tool at all. */
export function refusalOf(name: string, { allowWrites }: Choice): DtpError | undefined {
  const operation = all.get(name);
  if (!operation) return undefined;
  const isWrite = effectOf(operation) !== 'read';
  return isWrite && !allowWrites
    ? new DtpError('forbidden', `${name} changes things, and this server only reads`, {
        hint: 'Who started it can start it with: dtp mcp --allow-writes',
      })
    : new DtpError('forbidden', `${name} is not among the tools of this server`, {
        hint: 'Who started it has chosen them with --tools.',
      });
}

/** The tool that a command line calls; the command line itself where it calls none, such as a login. */
export function toolFor(command: string): string {
  const fits = (words: readonly string[]) => `${command} `.startsWith(`dtp ${words.join(' ')} `);
  const [name] = [...all].find(([, operation]) => fits(operation.command)) ?? [];
  return name === undefined ? command : `the tool ${name}`;
}

/** `isEmbedded`: whether the calls go to the embedded service, which simplifies some of the operations. */
export function toolOf(name: string, operation: Operation, isEmbedded = false): Tool {
  const effect = effectOf(operation);
  return {
    name,
    title: withoutFlags(operation.summary),
    description: descriptionOf(operation, isEmbedded),
    inputSchema: inputSchema(operation),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy' || effect === 'bill',
      idempotentHint: operation.method !== 'POST',
    },
  };
}

function descriptionOf(operation: Operation, isEmbedded: boolean): string {
  const { command, summary, method, path, flow, deprecated, effect, simplified } = operation;
  const sentences = [
    withoutFlags(summary),
    `${method} ${path}, the command dtp ${command.join(' ')}`,
    ...(deprecated === undefined ? [] : [`Deprecated: use ${toolName(deprecated.split(' '))}`]),
    ...(flow === undefined ? [] : (flows[flow] ?? [])),
    ...(effect === 'destroy' || effect === 'bill' ? [`It ${harms[effect]}: ${confirming}`] : []),
    ...(simplified === undefined || !isEmbedded ? [] : [`The embedded service: ${simplified}`]),
  ];
  return sentences.map((sentence) => `${sentence}.`).join(' ');
}

const confirming =
  'call it only where the user has asked for exactly this, with confirm repeating what it is about';

const flows: Readonly<Partial<Record<NonNullable<Operation['flow']>, readonly string[]>>> = {
  pages: ['One page: its next_page_token, given back, asks for the next'],
  wait: ['While the job runs its result is the error "pending": ask again later'],
  spool: ['What an event lacks (id, times, execution id) is filled in; what cannot be delivered now is kept'],
};
