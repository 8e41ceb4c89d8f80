/** `dtp help --man FOLDER` writes all help pages as man pages, and `--skill FOLDER` a page for agents. */
import { join } from 'node:path';
import { messageOf } from '../../caught.ts';
import { toolPage } from '../../describe/agent/tool-page.ts';
import { allTopics, topicFor } from '../../describe/help/topics.ts';
import { manPageName, manualPage } from '../../describe/man.ts';
import { DtpError } from '../../errors.ts';
import { checkedFolder } from '../../files/boundary.ts';
import { openNamed, readAllOf } from '../../files/open.ts';
import { writeNamedFile } from '../../files/output.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { Result } from '../../output/result.ts';
import { visibleBelow } from '../../tree/entry.ts';
import { allBelow, rootCommand } from '../../tree/tree.ts';
import { version } from '../../version.ts';
import { pageFor } from './pages.ts';

/** Replaces existing pages atomically. Throws `usage` if the folder cannot be created. */
export async function writeManual({ context }: Invocation, given: string): Promise<Result> {
  const folder = checkedFolder(context, given, `--man: ${given}`);
  const pages = manualOf();
  const { makeFolders } = await import('../../store/files.ts');
  await makeFolders(folder, 0o755).catch((error: unknown) => {
    throw new DtpError('usage', `--man: cannot create ${given}: ${messageOf(error)}`);
  });
  for (const { file, text } of pages) await writeNamedFile(context, join(folder, file), text, { replace: true });
  return { kind: 'value', value: { folder, pages: pages.length }, shape: { names: 'folder' } };
}

/** The pages of the tool, each noun, each command and each topic. */
export function manualOf() {
  const commands = allBelow(rootCommand);
  const topicPages = allTopics.map(topicFor);
  const seen = topicPages.map((page) => `${manPageName(page)}(7)`);
  return [
    ...commands.map((entry) => {
      const others = visibleBelow(entry)
        .map((one) => `${manualName(one.words)}(1)`)
        // Sorted, because the order of the tree depends on `import *`: Node sorts its names, but a test runner may not.
        .sort();
      const above = entry === rootCommand ? seen : [`${manualName(entry.words.slice(0, -1))}(1)`];
      return manualPage(pageFor(entry), 1, version, [...above, ...others]);
    }),
    ...topicPages.map((page) => manualPage(page, 7, version, ['dtp(1)', ...seen])),
  ];
}

const manualName = (words: readonly string[]): string => ['dtp', ...words].join('-');

/** The page with its front matter, which has the name of the folder. Agents read it to know when the page helps. */
const text = () => `---
name: dtp
description: ${rootCommand.summary} with the dtp command. Use it for tasks about a workspace, its events and failed runs, reports, API documents in a registry, or SDK code samples.
---

${toolPage()}`;

/** A file with the same content stays as it is. Throws `usage` if another one exists, unless --force is given. */
export async function writeSkill({ context, globals }: Invocation, given: string): Promise<Result> {
  const folder = checkedFolder(context, given && join(given, 'dtp'), `--skill: ${given}`);
  const { makeFolders, notWritten } = await import('../../store/files.ts');
  await makeFolders(folder, 0o755).catch((error: unknown) => Promise.reject(notWritten(folder, error)));
  const file = join(folder, 'SKILL.md');
  const page = Buffer.from(text());
  const before = await openNamed(context, file, { name: file })
    .then((open) => readAllOf(open, context.signal, page.byteLength))
    .catch(() => undefined);
  if (!before?.equals(page))
    await writeNamedFile(context, file, page, { replace: globals.force === true, mode: 0o644 });
  return { kind: 'value', value: { skill: 'dtp', file }, shape: { names: 'file' } };
}
