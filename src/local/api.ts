/** `dtp api`: any path of the service. */

import type { FlagSpecs } from '../tree/flag-spec.ts';
import { fieldFlags } from '../tree/flow-flags.ts';
import { settingFields } from '../tree/operation-flags.ts';
import { type LocalCommand, localCommand } from './command.ts';

/** The settings that a path may name. */
const places = Object.keys(settingFields)
  .map((name) => `{${name}}`)
  .join(', ');

/** Of `dtp api`. */
export const apiFlags = {
  method: { short: 'X', value: 'method', help: 'GET, or POST where there is a body' },
  body: { value: 'json', help: 'JSON or YAML, @FILE or - for standard input' },
  ...fieldFlags,
  header: {
    short: 'H',
    value: 'text',
    many: true,
    help: 'a header, such as "accept: text/plain" (may be repeated)',
  },
  paginate: { help: 'all pages, as one list' },
  include: {
    short: 'i',
    help: 'tell the status and the headers too: with -o raw first on stdout, else on stderr',
  },
} as const satisfies FlagSpecs;

export const apiCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'api',
    summary: 'Call any path of the service, with the credential',
    effect: 'write',
    sends: true,
    args: [{ name: '<path>', help: 'such as /v1/workspace/{workspace_id}' }],
    flags: apiFlags,
    notes: [`Filled in from the settings: ${places}. Of a GET, -F and -f are the query.`],
    shows: ['dry-run', 'curl'],
    examples: [
      {
        says: 'Any path; the workspace is filled in',
        command: "dtp api '/v1/workspace/{workspace_id}/tokens'",
      },
      {
        says: 'A body makes it a POST',
        command: `dtp api '/v1/workspace/{workspace_id}/tokens' -f name=ci -i`,
      },
    ],
    run: async () => ({ run: (await import('../commands/api.ts')).callPath }),
  }),
];
