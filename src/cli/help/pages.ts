/** Every page of the help, by the file that it has in the build. */
import { allBelow } from '../../generate/describe.ts';
import type { Page } from '../../generate/page.ts';
import { createProgram } from '../program.ts';
import { wordsOf } from '../tree.ts';
import { pageFor, topicFor } from './show.ts';
import { stillFiles } from './still.ts';
import { isTopic, topics } from './topics.ts';

export function allPages(): ReadonlyMap<string, Page> {
  // Nothing is run, so nothing of the world is needed.
  const nothing = async () => undefined;
  const actions = { operation: nothing, local: nothing, answer: nothing };
  const program = createProgram([], actions, () => undefined);
  const commands = allBelow(program).map(
    (command) => [stillFiles([...wordsOf(command), '--help'])?.[0] ?? '', pageFor(program, command)] as const,
  );
  const ofTopics = Object.keys(topics)
    .filter(isTopic)
    .map((topic) => [stillFiles(['help', topic])?.[0] ?? '', topicFor(program, topic)] as const);
  return new Map([...commands, ...ofTopics]);
}
