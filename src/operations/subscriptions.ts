/** Declares the operations of the API's Subscriptions area, which the API document does not list. */
import { defineOwn, inPath } from './operation.ts';

const change = {
  input: { subscriptionID: inPath('subscription id'), namespaceName: inPath('namespace name') },
  result: 'none',
} as const;

export const ignoreSubscriptionNamespace = defineOwn('POST /v1/subscriptions/{subscriptionID}/{namespaceName}/ignore', {
  command: ['subscriptions', 'ignore'],
  summary: 'Ignore a namespace in a subscription',
  ...change,
});

export const activateSubscriptionNamespace = defineOwn(
  'POST /v1/subscriptions/{subscriptionID}/{namespaceName}/activate',
  { command: ['subscriptions', 'activate'], summary: 'Stop ignoring a namespace in a subscription', ...change },
);
