/**
 * An undici dispatcher that replays each dispatch over node:http, where nock can see it: nock 14 does not intercept undici.
 * For tests only.
 */
import http from 'node:http';
import https from 'node:https';
import { Dispatcher } from 'undici';

export class Bridge extends Dispatcher {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    void replay(options, handler);
    return true;
  }

  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}
}

async function replay(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Promise<void> {
  // undici 7 calls its handlers by their older names from `request`.
  const old = handler as unknown as {
    onConnect: (abort: (reason?: Error) => void) => void;
    onHeaders: (status: number, headers: Buffer[], resume: () => void, text: string) => boolean;
    onData: (chunk: Buffer) => boolean;
    onComplete: (trailers: Buffer[]) => void;
    onError: (error: Error) => void;
  };
  try {
    const body = await bytesOf(options.body);
    const url = new URL(options.path, options.origin);
    const client = url.protocol === 'https:' ? https : http;
    const request = client.request(url, {
      method: options.method,
      headers: options.headers as http.OutgoingHttpHeaders,
    });
    old.onConnect((reason) => request.destroy(reason));
    request.on('error', (error) => old.onError(error));
    request.on('response', (response) => {
      old.onHeaders(
        response.statusCode ?? 0,
        response.rawHeaders.map((text) => Buffer.from(text)),
        () => response.resume(),
        response.statusMessage ?? '',
      );
      response.on('data', (chunk: Buffer) => old.onData(chunk));
      response.on('end', () => old.onComplete([]));
      response.on('error', (error) => old.onError(error));
    });
    request.end(body);
  } catch (error) {
    old.onError(error as Error);
  }
}

async function bytesOf(body: Dispatcher.DispatchOptions['body']): Promise<Buffer | undefined> {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string);
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
