/** Declares `dtp api`, which sends a request to any path of the service. */
import { settingFields } from '../settings/setting-fields.ts';
import type { LocalCommands } from './command.ts';
import { apiFlags } from './flags.ts';

/** The placeholders for settings that a path may contain. */
const places = Object.keys(settingFields)
  .map((name) => `{${name}}`)
  .join(', ');

export const apiCommands = {
  api: {
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
    examples: {
      'Call a path; the workspace id is filled in': "dtp api '/v1/workspace/{workspace_id}/tokens'",
      'Send a POST with a body': `dtp api '/v1/workspace/{workspace_id}/tokens' -f name=ci -i`,
    },
  },
} as const satisfies LocalCommands;
