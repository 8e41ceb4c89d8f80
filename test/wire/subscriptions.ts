/** The Subscriptions operations on the wire. */
import { asksJson, done, type Row } from '../support/wire.ts';

export const subscriptions: readonly Row[] = [
  {
    id: 'ignoreSubscriptionNamespace',
    argv: ['subscriptions', 'ignore', 'sub/1', 'my ns'],
    method: 'POST',
    path: '/v1/subscriptions/sub%2F1/my%20ns/ignore',
    headers: { ...asksJson, 'content-length': '0' },
    reply: [204],
    stdout: done('ignoreSubscriptionNamespace', 204),
  },
  {
    id: 'activateSubscriptionNamespace',
    argv: ['subscriptions', 'activate', 'sha256:abc/é x', 'ns'],
    method: 'POST',
    path: '/v1/subscriptions/sha256%3Aabc%2F%C3%A9%20x/ns/activate',
    headers: { ...asksJson, 'content-length': '0' },
    reply: [200],
    stdout: done('activateSubscriptionNamespace', 200),
  },
];
