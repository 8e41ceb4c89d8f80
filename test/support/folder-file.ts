/** Folder files (.dtp.json) in a user's repository, and how they are trusted. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { trust } from '../../src/store/trusted-files.ts';
import { dtp, temporaryFolder, type World } from './context.ts';

export const url = 'https://api.example.test';
/** This must not appear in any error. */
export const foreignUrl = 'https://theirs.example.test/secret-of-the-file';
const text = { DTP_ERROR_FORMAT: 'text' };

/** A home with a profile, and a repository in it with a folder file. */
export function makeRepositoryWithFolderFile(values: object | string) {
  const home = temporaryFolder();
  const repository = join(home, 'repository');
  const file = join(repository, '.dtp.json');
  const configuration = join(home, 'config/config.json');
  mkdirSync(join(repository, '.git'), { recursive: true });
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  const own = {
    base_url: url,
    workspace: 'w_1',
    credential: 'k-1',
    credential_origin: url,
    credential_workspace: 'w_1',
  };
  const profiles = { own, worded: { ...own, 'words.codehost': 'hub' } };
  writeFileSync(configuration, JSON.stringify({ current: 'own', profiles }), { mode: 0o600 });
  const write = (content: object | string) =>
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  write(values);
  const sent: string[] = [];
  const openSend: World['openSend'] = async () => ({
    send: async ({ url: to, headers }) => {
      sent.push(`${to} ${headers['x-api-key'] ?? 'bare'}`);
      const body = '{"workspace_id":"w_1","access_token":"t-1"}';
      return { status: 200, headers: { 'content-type': 'application/json' }, body: bytes(body) };
    },
    close: async () => undefined,
  });
  const run = (line: string, { env, ...world }: World = {}) =>
    dtp(line.split(' '), { home, cwd: repository, openSend, ...world, env: { ...text, ...env } });
  return { home, repository, file, configuration, sent, write, run };
}

async function* bytes(content: string) {
  yield Buffer.from(content);
}

/** Trusts a folder's file, if it has one, for the user of a home. */
export async function trustFolderFile(folder: string, home: string): Promise<void> {
  const path = join(folder, '.dtp.json');
  if (!existsSync(path)) return;
  const content = readFileSync(path);
  const { ca_cert } = JSON.parse(content.toString());
  const certificates = ca_cert === undefined ? undefined : resolve(dirname(path), ca_cert);
  await trust(join(home, 'config', 'trusted'), { path, content, certificates });
}
