/** `dtp mcp`: offers the operations to agents as tools of a Model Context Protocol server. */
import { type LocalCommand, localCommand } from './command.ts';
import { mcpFlags } from './flags.ts';

export const mcpCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'mcp',
    summary: 'Run an MCP server with the operations as tools for agents',
    effect: 'write',
    sends: true,
    flags: mcpFlags,
    notes: [
      'A tool has the name of its command: dtp ws tokens list is ws_tokens_list. Secrets in results are masked. The working folder is not readable for tools if it is the home folder or the root of the disk.',
    ],
    way: { collectFaults: true, readOnly: true },
    examples: [
      { says: 'Serve the read-only tools on stdin and stdout', command: 'dtp mcp < /dev/null' },
      {
        says: 'Serve the tools for events, including those that write',
        command: `dtp mcp --allow-writes --tools 'events_*' < /dev/null`,
      },
    ],
    run: async () => ({ run: (await import('../commands/mcp.ts')).serveMcp }),
  }),
];
