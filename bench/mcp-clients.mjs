// Checks `dtp mcp` with clients that other people wrote. It is run by hand, because it needs packages that are no
// dependencies of dtp: node bench/mcp-clients.mjs FOLDER, after an `npm install --ignore-scripts` in FOLDER of
// @modelcontextprotocol/inspector, @ai-sdk/mcp, @langchain/mcp-adapters, @langchain/core, langchain and mcp-use@1.
// Each client lists the tools and calls one. What a client cannot do, such as reading a prompt, is not asked of it.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const [folder = '.', only] = process.argv.slice(2);
const require = createRequire(join(resolve(folder), 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const home = mkdtempSync(join(tmpdir(), 'dtp-clients-'));
const bin = resolve(import.meta.dirname, '../bin/dtp.cjs');
const args = [bin, '--base-url', 'local:', 'mcp', '--allow-writes'];
const env = { PATH: process.env.PATH, HOME: home };
const command = process.execPath;
// The inspector needs a newer version of Node than dtp.
const inspectorNode = process.env.INSPECTOR_NODE ?? command;
const event = { interaction_type: 'LINT', success: false, error: 'a mark', execution_id: 'run-1' };

const clients = {
  inspector: async () => {
    const at = join(resolve(folder), 'node_modules/.bin/mcp-inspector');
    const run = async (...more) => {
      const argv = [at, '--cli', command, ...args, ...more];
      const { stdout } = await promisify(execFile)(inspectorNode, argv, { env: { ...process.env, HOME: home } });
      return JSON.parse(stdout);
    };
    const fields = Object.entries(event).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]);
    return {
      tools: (await run('--method', 'tools/list')).tools.length,
      posted: await run('--method', 'tools/call', '--tool-name', 'events_post', ...fields),
      result: await run('--method', 'tools/call', '--tool-name', 'events_search'),
      resources: (await run('--method', 'resources/list')).resources.length,
      templates: (await run('--method', 'resources/templates/list')).resourceTemplates.length,
      resource: await run('--method', 'resources/read', '--uri', 'dtp://events'),
      prompts: (await run('--method', 'prompts/list')).prompts.length,
      prompt: await run('--method', 'prompts/get', '--prompt-name', 'explain_failed_run'),
    };
  },
  '@ai-sdk/mcp': async () => {
    const { createMCPClient, experimental_createMCPClient: create = createMCPClient } = await load('@ai-sdk/mcp');
    const { Experimental_StdioMCPTransport: Transport } = await load('@ai-sdk/mcp/mcp-stdio');
    const client = await create({ transport: new Transport({ command, args, env }) });
    const tools = await client.tools();
    const call = (name, input) => tools[name].execute(input, { toolCallId: '1', messages: [] });
    const posted = await call('events_post', event);
    const result = await call('events_search', {});
    const resources = (await client.listResources()).resources.length;
    const resource = await client.readResource({ uri: 'dtp://events' });
    const prompts = (await client.experimental_listPrompts?.())?.prompts.length;
    await client.close();
    return { tools: Object.keys(tools).length, posted, result, resources, resource, prompts };
  },
  '@langchain/mcp-adapters': async () => {
    const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({ mcpServers: { dtp: { transport: 'stdio', command, args, env } } });
    const tools = await client.getTools();
    const call = (name, input) => tools.find((one) => one.name === name).invoke(input);
    const posted = await call('events_post', event);
    const result = await call('events_search', {});
    await client.close();
    return { tools: tools.length, posted, result };
  },
  'mcp-use': async () => {
    const { default: main, MCPClient = main.MCPClient } = await load('mcp-use');
    const client = new MCPClient({ mcpServers: { dtp: { command, args, env } } });
    const session = await client.createSession('dtp');
    const tools = session.connector.tools;
    const posted = await session.connector.callTool('events_post', event);
    const result = await session.connector.callTool('events_search', {});
    const resources = (await session.connector.listAllResources()).resources.length;
    const resource = await session.connector.readResource('dtp://events');
    const prompts = (await session.connector.listPrompts()).prompts.length;
    await client.closeAllSessions();
    return { tools: tools.length, posted, result, resources, resource, prompts };
  },
};

const versionOf = (name) => {
  const own = name === 'inspector' ? '@modelcontextprotocol/inspector' : name;
  return JSON.parse(readFileSync(join(resolve(folder), 'node_modules', own, 'package.json'), 'utf8')).version;
};
const print = (line) => process.stdout.write(`${line}\n`);

let failed = 0;
for (const [name, run] of Object.entries(clients)) {
  if (only !== undefined && only !== name) continue;
  try {
    const seen = await run();
    const isRight = JSON.stringify(seen.result).includes('a mark') && seen.tools > 70;
    print(`${isRight ? 'ok' : 'NOT OK'}  ${name} ${versionOf(name)}`);
    for (const [what, value] of Object.entries(seen)) print(`    ${what}: ${JSON.stringify(value)?.slice(0, 160)}`);
    if (!isRight) failed++;
  } catch (error) {
    failed++;
    print(`NOT OK  ${name}: ${error.stack ?? error}`);
  }
}
rmSync(home, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
