/** Opens a store in memory or in a file. In the project `database`, opens a separate database of a server instead. */
import { createHash, randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openStore, type Store } from '../../src/service/data/store.ts';

export function freshStore(file = ':memory:'): Store {
  const url = inject('databases');
  if (url === undefined) return openStore(file);
  const name = file === ':memory:' ? randomUUID() : createHash('md5').update(file).digest('hex');
  return openStore({ url, token: name });
}
