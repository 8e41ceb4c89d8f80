/** `dtp init --sample`: writes sample files to a new folder. */
import { dirname, join } from 'node:path';
import changes from '../../../examples/petstore/changes.html';
import ci from '../../../examples/petstore/ci.yml';
import pet from '../../../examples/petstore/components/pet.yaml';
import events from '../../../examples/petstore/events.ndjson';
import lint from '../../../examples/petstore/lint.html';
import openapi from '../../../examples/petstore/openapi.yaml';
import overlay from '../../../examples/petstore/overlay.yaml';
import onePet from '../../../examples/petstore/paths/pet.yaml';
import pets from '../../../examples/petstore/paths/pets.yaml';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { checkedFolder } from '../../files/boundary.ts';
import { makeNamedFolder, writeNamedFile } from '../../files/output.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { initFlags, LocalInput } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { amount } from '../../render/amounts.ts';
import { visible } from '../../render/sanitize.ts';
import { commandLine } from '../../settings/command-line.ts';
import { shellWord } from '../../shell.ts';
import { kebab } from '../../tree/vocabulary.ts';
import { doneSign } from './setup.ts';

/** By path: the content and what it is for. */
const files: Readonly<Record<string, readonly [content: string, about: string]>> = {
  'openapi.yaml': [openapi, 'an API document'],
  'paths/pets.yaml': [pets, ''],
  'paths/pet.yaml': [onePet, ''],
  'components/pet.yaml': [pet, ''],
  'overlay.yaml': [overlay, 'an overlay, which changes the document'],
  'events.ndjson': [events, 'three events of one run'],
  'lint.html': [lint, 'a lint report'],
  'changes.html': [changes, 'a change report'],
  'ci.yml': [ci, 'a CI job'],
};

/** Throws `usage` if the folder exists: nothing is overwritten. */
export async function writeSample(
  { context, settings }: Invocation,
  { flags }: LocalInput<typeof initFlags>,
  folder: string,
): Promise<Result> {
  refuseOthers(flags);
  const { makeFolders } = await import('../../store/files.ts');
  await makeFolders(checkedFolder(context, dirname(folder), `--sample: ${folder}`), 0o777);
  await makeNamedFolder(context, folder);
  for (const [path, [content]] of Object.entries(files)) {
    const typed = join(folder, path);
    await makeFolders(checkedFolder(context, dirname(typed), typed), 0o777);
    await writeNamedFile(context, typed, content, { replace: false, mode: 0o644 });
  }
  const value = { folder, files: Object.keys(files) };
  const profile = settings.values.base_url === undefined ? ['--profile', 'local'] : [];
  return { kind: 'value', value, text: () => textOf(context, folder, profile) };
}

/** `--sample` only writes files, so a flag that sets something up would do nothing. */
function refuseOthers(flags: LocalInput<typeof initFlags>['flags']): void {
  const { sample: _, event, ...others } = flags;
  const [given] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  const other = given ?? (event ? undefined : 'noEvent');
  if (other === undefined) return;
  throw new DtpError('usage', `--sample only writes files; run dtp init --${kebab(other)} separately`);
}

function textOf(context: Context, folder: string, profile: readonly string[]): string {
  const about = Object.entries(files).filter(([, [, text]]) => text !== '');
  const width = Math.max(...about.map(([path]) => path.length));
  const next = [
    ['events', 'post', '--body', '@events.ndjson'],
    ['code-samples', 'preview', 'openapi.yaml', '--language', 'typescript'],
    ['artifacts', 'push', 'openapi.yaml', 'petstore:v1'],
  ];
  return [
    `${doneSign(context)} Wrote ${amount(Object.keys(files).length, 'file')} to ${visible(folder)}`,
    '',
    ...about.map(([path, [, text]]) => `  ${path.padEnd(width)}  ${text}`),
    '',
    'Next:',
    // A shell reads `cd -` as the folder before.
    `  cd ${shellWord(/^[-+]/.test(folder) ? `./${folder}` : folder)}`,
    ...next.map((words) => `  ${commandLine([...words, ...profile])}`),
    '',
  ].join('\n');
}
