/** The handlers of the Subscriptions area. */
import type * as area from '../../operations/subscriptions.ts';
import { type Handlers, type IdsOf, Refusal, type Scope } from '../handler.ts';

/** Changes the ignored namespaces of one of the caller's subscriptions. */
function change(
  id: string,
  { store, caller }: Scope,
  next: (ignored: readonly string[]) => readonly string[],
): void {
  store.transaction(() => {
    const source = store.get(
      'SELECT workspace_id, ignored FROM remote_sources WHERE subscription_id = ?',
      id,
    );
    if (!source) throw new Refusal(404, `subscription ${id} not found`);
    if (source.workspace_id !== caller.workspaceId)
      throw new Refusal(403, `subscription ${id} belongs to another workspace`);
    const ignored = JSON.stringify(next(JSON.parse(String(source.ignored))));
    store.run('UPDATE remote_sources SET ignored = ? WHERE subscription_id = ?', ignored, id);
  });
}

export const subscriptions = {
  ignoreSubscriptionNamespace: ({ subscriptionID, namespaceName }, scope) =>
    change(subscriptionID, scope, (ignored) => [...new Set([...ignored, namespaceName])]),

  activateSubscriptionNamespace: ({ subscriptionID, namespaceName }, scope) =>
    change(subscriptionID, scope, (ignored) => ignored.filter((name) => name !== namespaceName)),
} satisfies Handlers<IdsOf<typeof area>>;
