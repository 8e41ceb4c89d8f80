/** Implements `dtp config trust` and `untrust`: whether a .dtp.json may set where requests and credentials go. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { checkedPlace, namedPath } from '../../files/boundary.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { LocalInput } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { visible } from '../../render/sanitize.ts';
import { redactUrl } from '../../request/redact.ts';
import { type FolderFile, fileName, needsTrust, readFileAt, readFolderFile } from '../../settings/folder-file.ts';
import { trustFolder, trustSubjectOf } from '../../settings/trust.ts';
import { folderInRepository } from '../../system/repository.ts';
import { confirmLocal } from '../confirm.ts';

/**
 * Shows the settings in a file that need trust, and trusts the file if the user agrees. Without this prompt, pasting a
 * suggested command would trust the file. Throws `usage` if the file does not exist or prompts are not possible, and
 * `config` if the file is invalid.
 */
export async function trustFile(invocation: Invocation, { args: [given] }: LocalInput): Promise<Result> {
  const { context, log } = invocation;
  const file = await chosenFile(context, given);
  const decided = Object.entries(file.values).filter(([key]) => needsTrust(key));
  log.note(`${file.path} sets${decided.length === 0 ? ' nothing that needs trust' : ':'}`);
  for (const [key, value] of decided) log.note(`  ${key}: ${redactUrl(String(value))}`);
  await confirmLocal(invocation, `Trust ${visible(file.path)} until it changes`);
  const inRepository = folderInRepository(context, 'config');
  if (inRepository)
    throw new DtpError('config', `nothing is trusted while ${inRepository.variable} is in ${inRepository.repository}`, {
      hint: 'Set it to a folder outside of it, because other people may have put files there.',
    });
  const { trust } = await import('../../store/trusted-files.ts');
  await trust(trustFolder(context), trustSubjectOf(file));
  log.success(`trusted ${file.path}. If it changes, it must be trusted again`);
  return { kind: 'done' };
}

/** Stops trusting a file, even if it was deleted. Throws `usage` if no file is given and no .dtp.json is found. */
export async function distrustFile({ context, log }: Invocation, { args: [given] }: LocalInput): Promise<Result> {
  const path = given === undefined ? (await chosenFile(context, given)).path : pathOf(context, given);
  const { distrust } = await import('../../store/trusted-files.ts');
  const wasTrusted = await distrust(trustFolder(context), path);
  if (wasTrusted) log.success(`${path} is no longer trusted`);
  else log.note(`${path} is not trusted`);
  return { kind: 'done' };
}

/** Reads the given file, or the .dtp.json that commands in this folder use. Throws `usage` if it does not exist. */
async function chosenFile(context: Context, given: string | undefined): Promise<FolderFile> {
  if (given !== undefined) {
    const path = pathOf(context, given);
    if (!statSync(path, { throwIfNoEntry: false }))
      throw new DtpError('usage', `file not found: ${path}`, { hint: 'Pass a .dtp.json or its folder.' });
    return readFileAt(path, context);
  }
  const file = await readFolderFile(context);
  if (file.path !== '') return file;
  throw new DtpError('usage', file.ignored ?? `no ${fileName} in this folder or its parent folders`, {
    hint: 'Pass the file or its folder.',
  });
}

/** Returns the path of a .dtp.json. Throws `usage` for a file with another name, because no command reads it. */
function pathOf(context: Context, given: string): string {
  // A link in place of the file itself is reported when the file is read.
  const path = checkedPlace(namedPath(context, given), given, basename(given) === fileName);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return join(path, fileName);
  if (basename(path) === fileName) return path;
  throw new DtpError('usage', `${path} is neither a folder nor a ${fileName} file`, {
    hint: `Pass a ${fileName} or its folder.`,
  });
}
