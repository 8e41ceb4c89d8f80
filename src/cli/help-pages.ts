/** Builds all help pages, keyed by the paths of the files in which the build stores them. */
import { pageFor, topicFor } from '../commands/help/pages.ts';
import { allBelow } from '../describe/describe.ts';
import { stillFiles } from '../describe/help/prebuilt.ts';
import { isTopic, topics } from '../describe/help/topics.ts';
import type { Page } from '../describe/page.ts';
import { wordsOf } from '../tree/nouns.ts';
import { createProgram } from './program.ts';

export function allPages(): ReadonlyMap<string, Page> {
  // The actions do nothing, because no command runs here.
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
