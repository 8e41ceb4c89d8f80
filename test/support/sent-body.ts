/** What a command sends as the body of its last request. */
import type { Context } from '../../src/context.ts';
import { bodyOfBytes, readAll } from '../../src/request/http.ts';
import { dtp, type Ended, type World } from './context.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ERROR_FORMAT: 'text',
};

/** Runs a command. `sent` is the body as a string, or undefined if nothing was sent. */
export async function bodySentBy(
  argv: readonly string[],
  world: World = {},
): Promise<Ended & { readonly sent: string | undefined }> {
  let sent: string | undefined;
  const openSend: Context['openSend'] = async () => ({
    send: async ({ body }) => {
      if (body) sent = String('open' in body ? Buffer.from((await readAll(body.open(), 2 ** 26)) ?? []) : body);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: bodyOfBytes(Buffer.from('{}')) };
    },
    close: async () => undefined,
  });
  const ended = await dtp(argv, { openSend, own: 'w_1', ...world, env: { ...env, ...world.env } });
  return { ...ended, sent };
}
