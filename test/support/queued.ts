/** A queue with the events of one post that could not be sent. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './context.ts';
import { events, ndjson, receiver, refusal } from './event-service.ts';

/** A home with 30 queued events in three batches of one post. */
export async function queued(): Promise<{ home: string; state: string; run: string }> {
  const home = temporaryFolder();
  const argv = ['post', '--body', '-', '--batch-size', '10', '--concurrency', '1'];
  await events(argv, { home, stdin: ndjson(30), openSend: receiver(() => refusal).openSend });
  const state = join(home, 'state');
  const [run = ''] = readdirSync(state).filter((name) => /^[0-9a-z]+_[0-9a-f]+$/.test(name));
  return { home, state, run: join(state, run) };
}
