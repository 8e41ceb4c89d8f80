/** The size of five answers that an agent reads, in bytes and tokens, in each form. Writes bench/agent-sizes.md. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from '@toon-format/toon';
import { encode as tokensOf } from 'gpt-tokenizer';
import { dtp, openFolder, root } from './support/tool.mjs';

const { folder, env: own, remove } = openFolder();
const env = { ...own, DTP_PROFILE: 'local' };

/** What a command writes on both streams. */
function run(...words) {
  const [program, ...argv] = dtp(...words);
  const { stdout, stderr } = spawnSync(program, argv, { env, cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
}

/** 50 events, as a CI job would post them. Those that failed have an error. */
function postEvents() {
  const lines = Array.from({ length: 50 }, (_, at) =>
    JSON.stringify({
      interaction_type: at % 3 ? 'LINT' : 'TARGET_GENERATE',
      execution_id: `run-${at}`,
      success: at % 5 > 0,
      lint_report_error_count: at % 5 ? 0 : 3,
      ...(at % 5 === 0 && { error: `lint: operationId is missing in /pets/${at}` }),
      generate_target: 'typescript',
      git_relative_cwd: 'services/petstore',
      continuous_integration_environment: 'github',
    }),
  );
  writeFileSync(join(folder, 'events.ndjson'), lines.join('\n'));
  const [program, ...argv] = dtp('events', 'post', '--body', '@events.ndjson');
  execFileSync(program, argv, { env, cwd: folder, stdio: 'ignore' });
}

/** The tools of `dtp mcp`, as a client gets them. */
async function toolList() {
  const [command, ...args] = dtp('mcp');
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env, cwd: folder, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

const asked = ['json', 'toon', 'table'];
const answersOf = (...words) =>
  Object.fromEntries([...asked.map((one) => [one, run(...words, '-o', one)]), ['agent', run(...words, '--agent')]]);

async function measure() {
  postEvents();
  const list = answersOf('events', 'search', '--limit', '50');
  const record = answersOf('ws', 'get');
  const missing = ['ws', 'tokens', 'delete', 't_1', '--yes'];
  const failed = { ...answersOf(...missing), toon: undefined };
  const help = {
    json: run('schema', 'ws', 'tokens', 'create'),
    toon: run('schema', 'ws', 'tokens', 'create', '-o', 'toon'),
    table: run('ws', 'tokens', 'create', '--help'),
    agent: run('help', 'ws', 'tokens', 'create', '--agent'),
  };
  const tools = await toolList();
  const toolTexts = { json: JSON.stringify(tools), toon: encode(tools) };
  return {
    'a list of 50 events': list,
    'one record': record,
    'an error': failed,
    'help of one command': help,
    'the tools of `dtp mcp`': toolTexts,
  };
}

const sizeOf = (text) => (text === undefined ? '–' : `${Buffer.byteLength(text)} / ${tokensOf(text).length}`);

try {
  const rows = Object.entries(await measure()).map(
    ([name, texts]) => `| ${[name, ...[...asked, 'agent'].map((one) => sizeOf(texts[one]))].join(' | ')} |`,
  );
  const text = `# What an agent reads

Each cell has bytes / tokens (o200k_base). An error is always text or JSON. \`node bench/agents.mjs\` writes this page.

| answer | JSON | TOON | table or text | with --agent |
|---|---:|---:|---:|---:|
${rows.join('\n')}
`;
  writeFileSync(join(root, 'bench/agent-sizes.md'), text);
  process.stdout.write(text);
} finally {
  remove();
}
