/** Prints the rows of all pages as NDJSON with nothing but undici and JSON: `node bare-pages.mjs URL`. */
import { once } from 'node:events';
import { Agent } from 'undici';

const agent = new Agent();
const url = new URL(process.argv[2]);
for (let token = '1'; token !== ''; ) {
  url.searchParams.set('next_page_token', token);
  const { body } = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
  });
  const page = JSON.parse(await body.text());
  const lines = page.items.map((row) => JSON.stringify(row));
  if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
  token = page.next_page_token;
}
await agent.close();
