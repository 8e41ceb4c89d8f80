/** Converts operations to tools with names and descriptions, and chooses the tools that a client may use. */
import { harmReasons } from '../commands/confirm.ts';
import { DtpError } from '../errors.ts';
import { allOperations } from '../operations/index.ts';
import { defineOperation, effectOf, harmOf, type Operation } from '../operations/operation.ts';
import { inputSchema, withoutFlags } from './schema.ts';

/**
 * Returns the name of a tool: the words of its command, joined with underscores. Some clients accept only letters,
 * digits and underscores, and at most 64 characters including a prefix that they add.
 */
export const toolName = (words: readonly string[]): string => words.join('_').replaceAll('-', '_');

/** Describes `dtp artifacts push` as a tool. The API has no operation for it, because it sends several requests. */
export const pushTool = {
  ...defineOperation('PUT /v1/artifacts', {
    command: ['artifacts', 'push'],
    summary: 'Push an API document and the files it refers to, as a revision of a namespace',
    input: {
      path: { in: 'query', kind: 'string', required: true, help: 'document, or whole folder with openapi.yaml' },
      namespace_name: { in: 'query', kind: 'string', required: true, help: 'a new namespace is created' },
      tags: { in: 'query', kind: 'string', many: true, help: 'tags of the revision, or else latest' },
    },
  }),
  id: 'push',
};

const all = new Map<string, Operation>([...allOperations, pushTool].map((one) => [toolName(one.command), one]));

export interface ToolChoice {
  readonly allowWrites: boolean;
  /** Tool names in which `*` matches anything. Undefined means all tools. */
  readonly patterns: readonly string[] | undefined;
}

/** Returns the chosen operations by tool name. Throws `usage` if a pattern matches no tool, or no tool is allowed. */
export function chooseTools({ allowWrites, patterns = ['*'] }: ToolChoice): ReadonlyMap<string, Operation> {
  for (const pattern of patterns)
    if (![...all.keys()].some((name) => fits(name, pattern)))
      throw new DtpError('usage', `--tools: no tool matches ${pattern}`, {
        hint: "A tool is named after its command, with underscores: ws_tokens_list, 'events_*'.",
      });
  const asked = [...all].filter(([name]) => patterns.some((pattern) => fits(name, pattern)));
  const chosen = asked.filter(([, operation]) => allowWrites || effectOf(operation) === 'read');
  if (chosen.length === 0)
    throw new DtpError('usage', `--tools: ${patterns.join(' ')} matches only tools that write`, {
      hint: 'To allow tools that write, pass --allow-writes.',
    });
  return new Map(chosen);
}

function fits(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

/** Returns the error for an existing tool that was not chosen. Undefined if there is no tool with that name. */
export function refusalOf(name: string, { allowWrites }: ToolChoice): DtpError | undefined {
  const operation = all.get(name);
  if (!operation) return undefined;
  const isWrite = effectOf(operation) !== 'read';
  return isWrite && !allowWrites
    ? new DtpError('forbidden', `${name} writes, but this server is read only`, {
        hint: 'The user can restart the server with: dtp mcp --allow-writes',
      })
    : new DtpError('forbidden', `${name} is not enabled on this server`, {
        hint: `The user can restart the server with: dtp mcp --tools ${name}`,
      });
}

/** Names the tool for a command line. Returns the command line itself if it has no tool, as for a login. */
export function toolFor(command: string): string {
  const fits = (words: readonly string[]) => `${command} `.startsWith(`dtp ${words.join(' ')} `);
  const [name] = [...all].find(([, operation]) => fits(operation.command)) ?? [];
  return name === undefined ? command : `the tool ${name}`;
}

/**
 * Describes an operation as a tool, as a client sees it: in few bytes, because clients load the list of all tools into
 * the context of their model. It has no `title`, because the description is as short, and only the hints that differ
 * from their defaults.
 */
export function toolOf(name: string, operation: Operation) {
  const isIdempotent = operation.method !== 'POST' && { idempotentHint: true };
  return {
    name,
    description: descriptionOf(operation),
    inputSchema: inputSchema(operation),
    // Other results are structured too, but schemas for them would make the list of tools much longer.
    ...(operation.flow === 'spool' && { outputSchema: postedSchema }),
    annotations:
      effectOf(operation) === 'read'
        ? { readOnlyHint: true }
        : { ...(harmOf(operation) === undefined && { destructiveHint: false }), ...isIdempotent },
  };
}

const integer = { type: 'integer' };
const counts = { accepted: integer, delivered: integer, pending: integer, rejected: integer };
const postedSchema = { type: 'object' as const, properties: { data: { type: 'object', properties: counts } } };

/** Describes the chosen tools, except for those that another tool replaces. These can still be called. */
export const listedTools = (tools: ReadonlyMap<string, Operation>) =>
  [...tools].flatMap(([name, one]) => (typeof one.deprecated === 'string' ? [] : [toolOf(name, one)]));

function descriptionOf(operation: Operation): string {
  const { summary, flow, deprecated } = operation;
  const harm = harmOf(operation);
  const sentences = [
    withoutFlags(summary),
    ...(deprecated === undefined ? [] : ['Deprecated']),
    ...(flow === undefined ? [] : (flows[flow] ?? [])),
    ...(harm === undefined ? [] : [`It ${harmReasons[harm]}: needs confirm`]),
  ];
  return sentences.join('. ');
}

const flows: Readonly<Partial<Record<NonNullable<Operation['flow']>, readonly string[]>>> = {
  pages: ['Returns one page, unless all is set'],
  wait: ['While the job runs, the result is the error "pending"'],
  spool: ['Missing ids and times are filled in; events that cannot be delivered now are queued'],
};
