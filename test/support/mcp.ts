/** `dtp mcp` as a whole process, driven by the client of the SDK. */
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { limitedTo } from './process.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');

export interface Called {
  readonly isError: boolean;
  /** The value, or the error. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests inspect what was returned.
  readonly value: any;
  /** The first content item is the value; the notes follow. */
  readonly texts: readonly string[];
  readonly notes: readonly string[];
}

export interface Connected {
  readonly client: Client;
  readonly call: (
    name: string,
    args?: Record<string, unknown>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<Called>;
  /** Everything that the server has written so far, on stdout and stderr. */
  readonly written: () => string;
  readonly stderr: () => string;
  readonly close: () => Promise<void>;
}

/** Starts the server in `cwd` with `folder` as its home. Only the PATH of the test's environment is passed on. */
export async function connectMcp(
  folder: string,
  argv: readonly string[],
  {
    env = {},
    cwd = folder,
    modern = false,
    openFiles,
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    readonly modern?: boolean;
    readonly openFiles?: number;
  } = {},
): Promise<Connected> {
  const [command = '', ...args] = [...limitedTo(openFiles), process.execPath, bin, ...argv];
  const transport = new StdioClientTransport({
    command,
    args,
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      DTP_CONFIG_DIR: join(folder, 'config'),
      DTP_DATA_DIR: join(folder, 'data'),
      DTP_STATE_DIR: join(folder, 'state'),
      ...env,
    },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(transport);
  let stdout = '';
  const take = transport.onmessage;
  transport.onmessage = (message) => {
    stdout += `${JSON.stringify(message)}\n`;
    take?.(message);
  };
  return {
    client,
    stderr: () => stderr,
    written: () => stdout + stderr,
    close: () => client.close(),
    call: async (name, args = {}, options = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: args }, options);
      const texts = content.map((one) => (one.type === 'text' ? one.text : one.type));
      const [text = '', ...notes] = texts;
      const value = valueIn(text);
      return { isError: isError === true, value: isError ? value.error : value, texts, notes };
    },
  };
}

/** The parsed JSON, or the string itself if it is not JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the tests inspect what was returned.
function valueIn(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Runs some work with a server, and always closes the server afterwards. */
export async function using<T>(server: Promise<Connected>, work: (server: Connected) => Promise<T>): Promise<T> {
  const connected = await server;
  try {
    return await work(connected);
  } finally {
    await connected.close();
  }
}
