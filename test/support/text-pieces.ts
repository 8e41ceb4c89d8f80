/** Reads all events of a stream, as the windows of `events post` do. */
import { eventInLine, groupsOf } from '../../src/commands/events/texts.ts';

/** Yields the events of a stream in groups, without blank lines. */
export async function* textPiecesOf(bytes: AsyncIterable<Uint8Array>, label: string, parse: (text: string) => unknown) {
  for await (const group of groupsOf(bytes, label, parse))
    yield 'ends' in group ? group.ends.flatMap((_, at) => eventInLine(group, at) ?? []) : group;
}
