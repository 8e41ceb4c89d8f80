/** The embedded service on a socket, and a plain HTTP client that shares no code with the tool. */
import { randomBytes, randomUUID } from 'node:crypto';
import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Send } from '../../src/request/http.ts';
import type { Store } from '../../src/service/data/store.ts';
import { type ListenOptions, listen } from '../../src/service/http/listen.ts';
import { createService } from '../../src/service/service.ts';
import { firstKey, seed } from '../../src/service/tenancy/seed.ts';
import { openInProcessWorker } from './document-worker.ts';
import { freshStore } from './fresh-store.ts';
import { publicEndpoint } from './public-endpoint.ts';
import { tls } from './tls-server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests inspect what was returned.
  readonly json: any;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
}

const ca = tls('ca.pem');

/**
 * Sends a request to a URL of the service, which may be https, on a new connection. Node would use one again that the
 * service has ended while this process was busy.
 */
export const requestTo = (
  url: string | URL,
  options: http.RequestOptions,
  answer?: (response: http.IncomingMessage) => void,
) =>
  new URL(url).protocol === 'https:'
    ? https.request(url, { agent: false, ...options, ca, servername: 'localhost' }, answer)
    : http.request(url, { agent: false, ...options }, answer);

/** Opens a connection to the service. */
export function connectTo(address: string): net.Socket {
  const { protocol, hostname: host, port } = new URL(address);
  return protocol === 'https:' ? connectTls({ host, port: Number(port), ca }) : net.connect(Number(port), host);
}

export function send(address: string, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json);
  const type = sent.json === undefined ? {} : { 'content-type': 'application/json' };
  const isChunked = sent.headers?.['transfer-encoding'] !== undefined;
  const length = body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((done, failed) => {
    const outgoing = requestTo(
      address,
      { method, path, headers: { ...type, ...length, ...sent.headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', failed);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = String(response.headers['content-type']).startsWith('application/json');
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson && text !== '' ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    outgoing.on('error', failed);
    outgoing.end(body);
  });
}

/** What listens: the service itself, or with something around it. */
type Around = (service: {
  readonly store: Store;
  readonly now: () => Date;
  readonly send: Send;
  readonly key: string;
}) => { readonly send: Send } & Partial<ListenOptions>;

/** With DTP_TEST_TLS, as for clients beyond loopback. Failed log-ins are then a minute apart, because most tests have many. */
const beyondLoopback = (): Partial<ListenOptions> => {
  let minutes = 0;
  return process.env.DTP_TEST_TLS === undefined ? {} : { endpoint: publicEndpoint(), now: () => 60_000 * minutes++ };
};

/** A user, a workspace and an organization that are unrelated to the first user. */
export function addStranger(store: Store, now: Date) {
  const [user, organization, workspace] = ['user-2', 'organization-2', 'workspace-2'];
  const record = (more: object) => JSON.stringify({ created_at: now.toISOString(), ...more });
  store.run('INSERT INTO users (id, email, record) VALUES (?, ?, ?)', user, 'two@other.example', record({}));
  store.run(
    'INSERT INTO organizations (id, slug, created_by, record) VALUES (?, ?, ?, ?)',
    organization,
    'two',
    user,
    record({ id: organization, slug: 'two', account_type: 'free' }),
  );
  store.run(
    'INSERT INTO workspaces (id, organization_id, slug, record, settings) VALUES (?, ?, ?, ?, ?)',
    workspace,
    organization,
    'two',
    record({ id: workspace, slug: 'two', organization_id: organization }),
    '{}',
  );
  store.run('INSERT INTO members (workspace_id, user_id) VALUES (?, ?)', workspace, user);
  const key = `dtp_${randomBytes(8).toString('hex')}`;
  store.run(
    'INSERT INTO workspace_tokens (id, workspace_id, key, created_by, record) VALUES (?, ?, ?, ?, ?)',
    randomUUID(),
    workspace,
    key,
    user,
    '{}',
  );
  return { user, organization, workspace, headers: { 'x-api-key': key } };
}

export async function served(file = ':memory:', around: Around = ({ send }) => ({ send })) {
  const store = freshStore(file);
  let time = Date.parse('2025-03-01T10:00:00.000Z');
  seed(store, new Date(time));
  const first = firstKey(store);
  const handle = createService(store, { now: () => time }, openInProcessWorker());
  const { send: shown, ...options } = around({ store, now: () => new Date(time), send: handle, key: first.key });
  const { address, close } = await listen(shown, { port: 0, ...beyondLoopback(), ...options });
  const call = (method: string, path: string, sent: Sent = {}) =>
    send(address, method, path, { ...sent, headers: { 'x-api-key': first.key, ...sent.headers } });
  const end = async () => {
    const isWhole = await close();
    store.close();
    return isWhole;
  };
  return {
    address,
    store,
    ...first,
    call,
    plain: (method: string, path: string, sent: Sent = {}) => send(address, method, path, sent),
    addStranger: () => addStranger(store, new Date(time)),
    wait: (ms: number) => {
      time += ms;
    },
    /** Like `close`. Resolves to false if requests had to be aborted. */
    end,
    close: async () => void (await end()),
  };
}

export type Served = Awaited<ReturnType<typeof served>>;
