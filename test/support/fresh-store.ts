/** Opens an empty store: in memory, or on the server that DTP_TEST_DATABASE names, whose tables it deletes first. */
import { openStore, type Store } from '../../src/service/data/store.ts';

export function freshStore(file = ':memory:'): Store {
  const url = process.env.DTP_TEST_DATABASE;
  if (url === undefined || file !== ':memory:') return openStore(file);
  const server = { url, token: 'none' };
  const old = openStore(server);
  const tables = old.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  old.transaction(() => {
    old.run('PRAGMA defer_foreign_keys = ON');
    for (const { name } of tables) old.run(`DROP TABLE IF EXISTS ${name}`);
  });
  old.close();
  return openStore(server);
}
