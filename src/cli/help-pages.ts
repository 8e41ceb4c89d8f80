/** Builds all help pages, keyed by the paths of the files in which the build stores them. */
import { pageFor } from '../commands/help/pages.ts';
import { prebuiltHelpFiles } from '../describe/help/prebuilt.ts';
import { allTopics, topicFor } from '../describe/help/topics.ts';
import type { HelpPage } from '../describe/page.ts';
import { allBelow, rootCommand } from '../tree/tree.ts';

export function allPages(): ReadonlyMap<string, HelpPage> {
  const commands = allBelow(rootCommand).map(
    (entry) => [prebuiltHelpFiles([...entry.words, '--help'])?.[0] ?? '', pageFor(entry)] as const,
  );
  const ofTopics = allTopics.map((topic) => [prebuiltHelpFiles(['help', topic])?.[0] ?? '', topicFor(topic)] as const);
  return new Map([...commands, ...ofTopics]);
}
