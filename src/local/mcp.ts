/** `dtp mcp`: the operations as tools of a Model Context Protocol server, for agents. */
import { type LocalCommand, localCommand } from './command.ts';
import { mcpFlags } from './flags.ts';

export const mcpCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'mcp',
    summary: 'Serve the operations as tools to an agent, over standard input and output',
    effect: 'write',
    sends: true,
    flags: mcpFlags,
    notes: [
      'A tool is named as its command: dtp ws tokens list is ws_tokens_list. Secrets are masked in what a tool returns. The working folder is not opened where it is the home folder or the whole disk.',
    ],
    way: { mending: true, looking: true },
    examples: [
      { says: 'Tools that only read, over standard input and output', command: 'dtp mcp < /dev/null' },
      {
        says: 'Those of events, writing ones too',
        command: `dtp mcp --allow-writes --tools 'events_*' < /dev/null`,
      },
    ],
    run: async () => ({ run: (await import('../commands/mcp.ts')).serveMcp }),
  }),
];
