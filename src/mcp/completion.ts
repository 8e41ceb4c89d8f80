/** Completes the arguments of prompts and resource templates. */
import { fieldsOf } from '../json-object.ts';
import { enumValues } from '../operations/records.ts';
import { type CallControl, runTool, type World } from './call.ts';
import type { Tools } from './resources.ts';

/** The tool that lists the values of an argument, and the query that selects them. */
const listed: Readonly<Record<string, readonly [tool: string, query: string]>> = {
  namespace: ['artifacts_namespaces_list', 'items[].name'],
  reference: ['artifacts_tags_list', 'items[].name'],
  execution_id: ['events_search', '[].execution_id'],
};

const fixed: Readonly<Record<string, readonly string[] | undefined>> = {
  success: ['true', 'false'],
  interaction_type: enumValues.InteractionType,
};

/** The maximum number of values in a response of the protocol. */
const most = 100;

/**
 * Returns the values that begin with what the user has typed. Returns none if the tool that lists them is not enabled or
 * fails, because the user can still type the value.
 */
export async function completionOf(
  world: World,
  tools: Tools,
  { name, value, context, ...asked }: CallControl & { name: string; value: string; context: unknown },
) {
  const [tool = '', query] = listed[name] ?? [];
  const operation = tools.get(tool);
  const inputs = name === 'reference' ? { namespace_name: fieldsOf(context).namespace } : {};
  const found = operation && (await runTool(world, operation, { ...inputs, query }, asked).catch(() => undefined));
  const all = fixed[name] ?? (Array.isArray(found?.data) ? found.data.map(String) : []);
  const values = [...new Set(all)].filter((one) => one.startsWith(value));
  return { completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most } };
}
