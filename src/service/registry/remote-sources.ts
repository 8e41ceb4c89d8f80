/** The remote source of a namespace, and its subscription. */
import type { Row, Store } from '../data/store.ts';
import { isRecord, type JsonObject } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import type { Repository } from './registry.ts';
import { parseRegistryUrl } from './registry-url.ts';

function namespaceAt(document: unknown, name: string): string {
  const url = isRecord(document) ? document.registry_url : undefined;
  const namespace = typeof url === 'string' ? parseRegistryUrl(url).namespace : '';
  if (namespace === '') throw new Refusal(422, `${name}.registry_url is required and must name a namespace`);
  return namespace;
}

const namespacesAt = (documents: unknown, name: string): readonly string[] =>
  (Array.isArray(documents) ? documents : []).map((each, index) => namespaceAt(each, `${name}[${index}]`));

/** Checks a RemoteSource and returns the namespace of its output. */
export function checkRemoteSource({ inputs, overlays, output }: JsonObject): string {
  if (!Array.isArray(inputs) || inputs.length === 0)
    throw new Refusal(422, 'inputs must be an array with at least one element');
  if (overlays !== undefined && overlays !== null && !Array.isArray(overlays))
    throw new Refusal(422, 'overlays must be an array');
  namespacesAt(inputs, 'inputs');
  namespacesAt(overlays, 'overlays');
  return namespaceAt(output, 'output');
}

export const findRemoteSource = (store: Store, { workspaceId, namespace }: Repository): Row | undefined =>
  store.get('SELECT * FROM remote_sources WHERE workspace_id = ? AND namespace = ?', workspaceId, namespace);

/** The composite_spec_metadata of a namespace. */
export function subscriptionOf(source: Row): unknown {
  const { inputs, overlays }: JsonObject = JSON.parse(String(source.record));
  return {
    subscription_id: source.subscription_id,
    subscription_settings: {
      base_spec_namespaces: namespacesAt(inputs, 'inputs'),
      overlay_namespaces: namespacesAt(overlays, 'overlays'),
      ignored_namespaces: JSON.parse(String(source.ignored)),
      output_namespace: source.namespace,
    },
  };
}
