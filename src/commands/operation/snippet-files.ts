/** `--out-dir`: writes each code sample to a file. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../caught.ts';
import { DtpError } from '../../errors.ts';
import { checkedFolder, type FileContext } from '../../files/boundary.ts';
import { checkNamedTarget, writeNamedFile } from '../../files/output.ts';
import { faultOfFileName } from '../../flows/names.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { isRecord, type JsonObject, stringOf } from '../../json-object.ts';
import type { Result } from '../../output/result.ts';
import { amount } from '../../render/amounts.ts';
import { fieldsIn } from '../../request/read.ts';

/** Throws `usage` if --out-dir names a file, or may not be written to. It is called before anything is sent. */
export async function checkSnippetFolder(context: FileContext, given: string): Promise<void> {
  const found = await stat(checkedFolder(context, given, `--out-dir: ${given}`)).catch(() => undefined);
  if (found && !found.isDirectory()) throw new DtpError('usage', `--out-dir: ${given} is not a folder`);
}

/**
 * Writes a file for each code sample of the result, and returns their names. Writes nothing if a file exists and may
 * not be replaced. Throws `bad_response` if the result has no code samples, and `usage` if a file or folder cannot be
 * written.
 */
export async function toFiles(invocation: Invocation, given: string, result: Result): Promise<Result> {
  const { context, output } = invocation;
  const read = result.kind === 'answer' ? result.value : undefined;
  const isEmpty = read?.kind === 'json' && read.value === null;
  const { snippets: sent = isEmpty ? null : undefined } = read ? fieldsIn(read) : {};
  const snippets = sent === null ? [] : sent;
  if (!Array.isArray(snippets) || !snippets.every(isRecord))
    throw new DtpError('bad_response', 'the response has no list "snippets"');
  const folder = checkedFolder(context, given, `--out-dir: ${given}`);
  const files = namesOf(snippets);
  const { makeFolders } = await import('../../store/files.ts');
  await makeFolders(folder, 0o777).catch((error: unknown) => {
    throw new DtpError('usage', `cannot create the folder ${given} (${systemCode(error) ?? String(error)})`, {
      hint: 'Choose another folder with --out-dir.',
    });
  });
  const replace = output.replace;
  for (const name of files.keys()) await checkNamedTarget(context, join(folder, name), replace);
  for (const [name, { code }] of files)
    await writeNamedFile(context, join(folder, name), `${String(code ?? '').trimEnd()}\n`, { replace, mode: 0o644 });
  const count = amount(files.size, 'file');
  return { kind: 'value', value: { folder, files: [...files.keys()] }, done: { text: `Wrote ${count} to ${given}` } };
}

const extensions: Readonly<Record<string, string>> = {
  ...{ typescript: 'ts', javascript: 'js', node: 'js', python: 'py', ruby: 'rb', csharp: 'cs', unity: 'cs' },
  ...{ kotlin: 'kt', curl: 'sh', shell: 'sh', bash: 'sh', terraform: 'tf' },
};

/** `listPets.go`. Names come from the service, so only safe characters are left, and equal names get a number. */
export function namesOf(snippets: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const names = new Map<string, JsonObject>();
  const taken = new Set<string>();
  for (const snippet of snippets) {
    const { operationId, method, path, language } = snippet;
    const stem = safe(stringOf(operationId) || `${stringOf(method)}-${stringOf(path)}`) || 'snippet';
    const kind = stringOf(language).toLowerCase();
    const extension = safe((Object.hasOwn(extensions, kind) ? extensions[kind] : undefined) ?? kind) || 'txt';
    for (let number = 1; ; number++) {
      const name = `${stem}${number === 1 ? '' : `-${number}`}.${extension}`;
      // Some file systems ignore case.
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      names.set(faultOfFileName(name) === undefined ? name : `snippet-${name}`, snippet);
      break;
    }
  }
  return names;
}

const safe = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);
