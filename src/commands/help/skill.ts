/** `dtp help --skill [FOLDER]`: writes the page for agents as a skill, in the format of agentskills.io. */
import { join } from 'node:path';
import { toolPage } from '../../describe/agent/tool-page.ts';
import { checkedFolder } from '../../files/boundary.ts';
import { openNamed, readAllOf } from '../../files/open.ts';
import { writeNamedFile } from '../../files/output.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { Result } from '../../output/result.ts';
import { rootCommand } from '../../tree/tree.ts';

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
