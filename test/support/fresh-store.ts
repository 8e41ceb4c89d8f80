/** Opens a store in memory or in a file. In the project `database`, opens a separate database of a server instead. */
import { createHash, randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openStore, type Store } from '../../src/service/data/store.ts';

const url = inject('databases');
/** It is loaded only if it is needed, because it builds a program. */
const remote = url === undefined ? undefined : await import('./remote-store.ts');

export function freshStore(file = ':memory:'): Store {
  if (url === undefined || !remote) return openStore(file);
  const name = file === ':memory:' ? randomUUID() : createHash('md5').update(file).digest('hex');
  return remote.openRemote({ url, token: name });
}
