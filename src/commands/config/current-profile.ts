/** Prints which profile the next command will use. */
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import { commandLine } from '../../settings/command-line.ts';

/**
 * Prints how to use profile `name`. If the next command would use another profile, also prints why. `isNew` is true if
 * `name` has just become the current profile.
 */
export async function noteCurrentProfile({ context, globals, log }: Invocation, name: string, isNew: boolean) {
  const { profile: _, ...others } = globals;
  const opening = { globals: others, way: { collectFaults: true, readOnly: true } };
  const { value, source } = (await openInvocation(context, opening)).settings.profile;
  if (value === name) {
    if (isNew) log.success(`the current profile is now ${name}`);
    return log.next(commandLine(['ws', 'list']));
  }
  const isStored = source === 'dtp config use';
  const use = isStored ? `, or make it the current one: ${commandLine(['config', 'use', name])}` : '';
  const now = isStored
    ? `the current profile is still ${value}`
    : `${isNew ? `the current profile is now ${name}, but ` : ''}${source} selects ${value}`;
  log.note(`${now}; use the new one with --profile ${name}${use}`);
  log.next(commandLine(['ws', 'list', '--profile', name]));
}
