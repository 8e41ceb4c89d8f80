/** Declares `dtp mcp`, which runs a Model Context Protocol server with the operations as tools for agents. */
import type { LocalCommands } from './command.ts';
import { mcpFlags } from './flags.ts';

export const mcpCommands = {
  mcp: {
    summary: 'Run an MCP server with the operations as tools for agents',
    effect: 'write',
    sends: true,
    flags: mcpFlags,
    notes: [
      'Each tool is named after its command: ws_tokens_list is dtp ws tokens list. Secrets in results are masked. Tools cannot read the current folder if it is the home folder or contains it.',
    ],
    way: { collectFaults: true, readOnly: true },
    examples: {
      'Serve the read-only tools on standard input and output': 'dtp mcp < /dev/null',
      'Serve the tools for events, including those that write': `dtp mcp --allow-writes --tools 'events_*' < /dev/null`,
    },
  },
} as const satisfies LocalCommands;
