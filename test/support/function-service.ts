/** A service implemented as a function: it answers and records each request. A Buffer is sent as it is. */
import { DtpError } from '../../src/errors.ts';
import type { HttpRequest } from '../../src/request/http.ts';
import type { World } from './context.ts';

export type Reply = readonly [status: number, body?: unknown, headers?: Record<string, string>];

export function service(reply: (request: HttpRequest, call: number) => Reply | DtpError) {
  const asked: string[] = [];
  const openSend: World['openSend'] = async () => ({
    send: async (request) => {
      const answered = reply(request, asked.push(`${request.method} ${new URL(request.url).pathname}`));
      if (answered instanceof DtpError) throw answered;
      const [status, body, headers = {}] = answered;
      return { status, headers, body: bytesOf(body) };
    },
    close: async () => undefined,
  });
  return { asked, openSend };
}

async function* bytesOf(body: unknown) {
  if (body !== undefined) yield Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}
