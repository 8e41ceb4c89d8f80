/** Declares `dtp ws use`, which sets the default workspace of the profile. */
import type { LocalCommands } from './command.ts';

export const workspaceCommands = {
  'ws use': {
    summary: 'Set the default workspace of the profile',
    effect: 'write',
    sends: true,
    asks: true,
    way: { stores: true },
    args: [{ name: 'workspace', help: 'id, name or slug (default: prompt for it)' }],
    names: false,
    examples: {
      'Use a workspace by its name': 'dtp ws use petstore',
      'Set the workspace of another profile': 'dtp ws use petstore --profile staging',
    },
  },
} as const satisfies LocalCommands;
