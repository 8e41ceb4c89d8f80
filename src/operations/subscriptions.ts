/** Declares the operations of the API's Subscriptions area, which the API document does not list. */
import { defineOperation } from './operation.ts';

const subscription = {
  subscriptionID: { in: 'path', kind: 'string', required: true, help: 'subscription id' },
  namespaceName: { in: 'path', kind: 'string', required: true, help: 'namespace name' },
} as const;

export const ignoreSubscriptionNamespace = defineOperation({
  id: 'ignoreSubscriptionNamespace',
  command: ['subscriptions', 'ignore'],
  summary: 'Ignore a namespace in a subscription',
  method: 'POST',
  path: '/v1/subscriptions/{subscriptionID}/{namespaceName}/ignore',
  input: subscription,
  result: 'none',
  workspace: 'credential',
});

export const activateSubscriptionNamespace = defineOperation({
  id: 'activateSubscriptionNamespace',
  command: ['subscriptions', 'activate'],
  summary: 'Stop ignoring a namespace in a subscription',
  method: 'POST',
  path: '/v1/subscriptions/{subscriptionID}/{namespaceName}/activate',
  input: subscription,
  result: 'none',
  workspace: 'credential',
});
