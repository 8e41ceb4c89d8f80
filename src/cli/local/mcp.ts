/** `dtp mcp`: the operations as tools of a Model Context Protocol server, for agents. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { Globals } from '../globals.ts';
import type { McpOptions } from '../mcp/server.ts';

export function addMcp(program: Command, context: Context): void {
  program
    .command('mcp')
    .description('Serve the operations as tools to an agent, over standard input and output')
    .option('--allow-writes', 'also the tools that change things; else those that only read')
    .option('--tools <pattern...>', "only these tools, such as ws_tokens_list or 'events_*'")
    .option('--root <folder...>', 'folders whose files a tool may send (default: the working folder)')
    .addHelpText(
      'after',
      '\nA tool is named as its command: dtp ws tokens list is ws_tokens_list. Secrets\nare masked in what a tool returns. The working folder is not opened where it is\nthe home folder or the whole disk.',
    )
    .action(async (options: McpOptions) => {
      const { serveTools } = await import('../mcp/server.ts');
      const { outputFile: _, query: __, fields: ___, ...globals }: Globals = program.opts();
      await serveTools(context, globals, options);
    });
}
