/** Runs a command in a repository that somebody else prepared, against a service that only records. */
import type { HttpRequest, Send } from '../../src/request/http.ts';
import { dtp } from './context.ts';
import type { HostileFolder } from './hostile-folder.ts';
import type { PathUse } from './path-table.ts';

export const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

/** Runs a command, and returns everything that it sent too. */
export async function run({ cwd, home }: HostileFolder, { argv, env: more, stdin }: PathUse) {
  const requests: string[] = [];
  const send: Send = async ({ url, body }: HttpRequest) => {
    const chunks: Uint8Array[] = [];
    if (body && 'open' in body) for await (const chunk of body.open()) chunks.push(Uint8Array.from(chunk));
    else if (body) chunks.push(Buffer.from(body));
    requests.push(`${url} ${Buffer.concat(chunks)}`);
    const answer = answers.find(([path]) => url.includes(path))?.[1] ?? {};
    return {
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from(JSON.stringify(answer));
      })(),
    };
  };
  const controller = new AbortController();
  // A command that waits for clients ends at once. With a file that it must refuse, it ends by itself.
  if (['serve', 'mcp'].includes(argv[0] ?? '') && !argv.includes('--tls-cert'))
    setTimeout(() => controller.abort(), 200);
  const ended = await dtp(argv, {
    ...{ cwd, home, own: 'w_1', signal: controller.signal, env: { ...env, ...more } },
    openSend: async () => ({ send, close: async () => undefined }),
    spawn: async () => 0,
    ...(stdin !== undefined && { stdin }),
  });
  return { ...ended, sent: requests.join('\n') };
}

const answers: readonly (readonly [path: string, answer: unknown])[] = [
  ['/v1/reports', { url: 'https://store.example.test/r' }],
  ['/v1/code_sample', { snippets: [{ operationId: 'a', language: 'go', code: 'x' }] }],
];
