/** Declares `dtp api`, which sends a request to any path of the service. */
import { settingFields } from '../settings/setting-fields.ts';
import type { LocalCommand } from './command.ts';
import { apiFlags } from './flags.ts';

/** The placeholders for settings that a path may contain. */
const places = Object.keys(settingFields)
  .map((name) => `{${name}}`)
  .join(', ');

export const apiCommands: readonly LocalCommand[] = [
  {
    words: 'api',
    summary: 'Call any API path',
    effect: 'write',
    sends: true,
    args: [{ name: 'path', required: true, help: 'path, such as /v1/workspace/{workspace_id}' }],
    flags: apiFlags,
    notes: [
      `These are filled in from the settings: ${places}.`,
      'For GET and HEAD, -F and -f set query parameters instead of body fields.',
    ],
    shows: ['dry-run', 'curl'],
    examples: [
      {
        says: 'Call a path; the workspace id is filled in',
        command: "dtp api '/v1/workspace/{workspace_id}/tokens'",
      },
      {
        says: 'Send a POST with a body',
        command: `dtp api '/v1/workspace/{workspace_id}/tokens' -f name=ci -i`,
      },
    ],
  },
];
