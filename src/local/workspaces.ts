/** Declares `dtp ws use`, which sets the default workspace of the profile. */
import type { LocalCommand } from './command.ts';

export const workspaceCommands: readonly LocalCommand[] = [
  {
    words: 'ws use',
    summary: 'Set the default workspace of the profile',
    effect: 'write',
    sends: true,
    asks: true,
    way: { stores: true },
    args: [{ name: 'workspace', help: 'id, name or slug (default: prompt for it)' }],
    names: false,
    examples: [
      { says: 'Use a workspace by its name', command: 'dtp ws use petstore' },
      { says: 'Set the workspace of another profile', command: 'dtp ws use petstore --profile staging' },
    ],
  },
];
