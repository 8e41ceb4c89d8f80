/** Serves the page of the embedded service while somebody looks at a report or a run that only this machine has. */
import type { Invocation } from '../../invocation/invocation.ts';
import { openPage } from './serve.ts';
import { openServer } from './server.ts';

/** Opens the page with what a `local:` URL names, and serves it until Ctrl-C. */
export async function showLocally({ context, log }: Pick<Invocation, 'context' | 'log'>, url: string): Promise<void> {
  const server = await openServer(context, log, { port: '0' }, { words: [] });
  try {
    await openPage(context, log, server, url);
    log.note(`the page is at ${server.url} until you press Ctrl-C`);
    if (!context.signal.aborted)
      await new Promise((done) => context.signal.addEventListener('abort', done, { once: true }));
  } finally {
    await server.close();
  }
}
