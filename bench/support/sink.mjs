/** A server in a separate process that accepts everything, and sends prepared responses. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { piece, revisionsText } from './records.mjs';

/** The size of the report in MiB, and how long each post of events takes in milliseconds. */
const [, , reportSize = '1', delay = '0'] = process.argv;
/** The number of rows in a page of revisions, which is about 12 MB. */
const pageRows = 50_000;

const made = new Map();

/** The namespace `rows-N` has N rows, and `digests-N` has N rows of another kind. A page is created only once. */
function page(path, token) {
  const key = `${path} ${token}`;
  if (!made.has(key)) {
    const [, name, count] = /(rows|digests|integer)-(\d+)/.exec(path);
    const rows = Number(count);
    const from = Number(token ?? 0);
    const to = Math.min(from + pageRows, rows);
    const next = to < rows ? String(to) : '';
    made.set(key, Buffer.from(`{"items":[${revisionsText(from, to, name, rows)}],"next_page_token":"${next}"}`));
  }
  return made.get(key);
}

const answers = {
  '/v1/user': { id: 'u_1', email: 'me@example.com', display_name: 'Me' },
  '/v1/auth/validate': { workspace_id: 'w_1', workspace_slug: 'main', org_slug: 'acme', scopes: ['write'] },
  '/v1/workspaces': [{ id: 'w_1', name: 'main' }],
};

async function sendReport(response) {
  response.setHeader('content-length', Number(reportSize) * piece.byteLength);
  for (let sent = 0; sent < Number(reportSize); sent++) if (!response.write(piece)) await once(response, 'drain');
  response.end();
}

/** What has arrived on closed connections, in bytes. */
let received = 0;

function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://sink');
  const address = `http://${request.headers.host}`;
  const accept = () => response.writeHead(204).end();
  if (request.method === 'POST' && pathname.endsWith('/events'))
    return delay === '0' ? accept() : setTimeout(accept, Number(delay));
  if (pathname === '/received') return response.end(String(received));
  if (pathname === '/report') return sendReport(response);
  const body = pathname.startsWith('/v1/reports')
    ? JSON.stringify({ url: `${address}/report` })
    : pathname.endsWith('/revisions')
      ? page(pathname, searchParams.get('next_page_token'))
      : JSON.stringify(answers[pathname]);
  if (body === undefined) return response.writeHead(404).end('{}');
  response.setHeader('content-type', 'application/json');
  response.end(body);
}

const server = createServer((request, response) => {
  request.on('end', () => answer(request, response));
  request.resume();
});
server.requestTimeout = 0;
server.on('connection', (socket) =>
  socket.once('close', () => {
    received += socket.bytesRead;
  }),
);
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
// Exits when the process that started it is gone, even if that was killed.
process.stdin.on('end', () => process.exit()).resume();
