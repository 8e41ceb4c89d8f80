/** Handles the operations of the Subscriptions area. */
import type { OperationInput } from '../../operations/index.ts';
import type * as area from '../../operations/subscriptions.ts';
import { type Handlers, type IdsOf, orNotFound, Refusal, type Scope } from '../handler.ts';
import { ignoredOf, namespacesOf } from '../registry/remote-sources.ts';

/** Changes the ignored namespaces of a subscription. The next read of the output merges it without these namespaces. */
function change(
  { subscriptionID: id, namespaceName: name }: OperationInput<'ignoreSubscriptionNamespace'>,
  { store, caller }: Scope,
  next: (ignored: readonly string[]) => readonly string[],
): void {
  store.transaction(() => {
    const source = orNotFound(store.find('remote_sources', { subscription_id: id }), `subscription ${id} not found`);
    if (source.workspace_id !== caller.workspaceId)
      throw new Refusal(403, `subscription ${id} belongs to another workspace`);
    const { base, overlays } = namespacesOf(source);
    // A namespace that was ignored before the source changed can still be activated.
    if (![...base, ...overlays, ...ignoredOf(source)].includes(name))
      throw new Refusal(404, `subscription ${id} has no namespace ${name}`);
    store.update('remote_sources', { subscription_id: id }, { ignored: JSON.stringify(next(ignoredOf(source))) });
  });
}

export const subscriptions = {
  ignoreSubscriptionNamespace: (input, scope) =>
    change(input, scope, (ignored) => [...new Set([...ignored, input.namespaceName])]),

  activateSubscriptionNamespace: (input, scope) =>
    change(input, scope, (ignored) => ignored.filter((name) => name !== input.namespaceName)),
} satisfies Handlers<IdsOf<typeof area>>;
