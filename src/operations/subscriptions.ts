/** The Subscriptions area, whose operations the document does not show. */
import { operation } from './operation.ts';

const subscription = {
  subscriptionID: { in: 'path', kind: 'string', required: true, help: 'Subscription id' },
  namespaceName: { in: 'path', kind: 'string', required: true, help: 'Namespace name' },
} as const;

export const ignoreSubscriptionNamespace = operation({
  id: 'ignoreSubscriptionNamespace',
  command: ['subscriptions', 'ignore'],
  summary: 'Ignore a namespace in a subscription',
  method: 'POST',
  path: '/v1/subscriptions/{subscriptionID}/{namespaceName}/ignore',
  input: subscription,
  result: 'none',
  simplified: 'the choice is kept; nothing is merged',
});

export const activateSubscriptionNamespace = operation({
  id: 'activateSubscriptionNamespace',
  command: ['subscriptions', 'activate'],
  summary: 'Take a namespace of a subscription up again',
  method: 'POST',
  path: '/v1/subscriptions/{subscriptionID}/{namespaceName}/activate',
  input: subscription,
  result: 'none',
  simplified: 'the choice is kept; nothing is merged',
});
