/** Every place from which a string can come into a printed command: the command line, files, and answers of a service. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exactJson } from '../../src/json-object.ts';
import { answered, away, base, isList, json, missing, type PastedPlace } from './pasted-answers.ts';

const isArgument = (text: string): boolean => text !== '' && !text.includes('\0') && !/\p{Cs}/u.test(text);
const isFileName = (text: string): boolean =>
  isArgument(text) && !text.includes('/') && text !== '.' && text !== '..' && text.trim() !== '';

const stored = (profiles: (text: string) => object) => (text: string, home: string) => {
  mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 });
  const content = exactJson({ current: 'work', profiles: profiles(text) });
  writeFileSync(join(home, 'config', 'config.json'), content, { mode: 0o600 });
};
const login = { base_url: base, credential: 'k-1', credential_origin: base };

const folderFile = (values: (text: string) => object) => (text: string, home: string) => {
  mkdirSync(join(home, '.git'));
  writeFileSync(join(home, '.dtp.json'), exactJson(values(text)), { mode: 0o600 });
};

const typed: readonly PastedPlace[] = [
  {
    name: 'an id on the command line that does not exist',
    takes: (text) => !/[:@]/.test(text),
    argv: (text) => ['artifacts', 'manifests', 'get', '--', text, 'v123'],
    answer: (_, { url }) =>
      url.includes('/manifests/') ? [404, { message: 'no such revision: v123' }, json] : undefined,
  },
  {
    name: 'an id on the command line, and an expired credential',
    argv: (text) => ['publishing-tokens', 'target', '--', text],
    answer: () => [401, { message: 'expired' }, json],
  },
  {
    name: 'a flag of a command that fails',
    argv: (text) => ['ws', 'get', '-w', 'w_1', `--profile=${text}`],
  },
  { name: 'a profile that does not exist', argv: (text) => ['config', 'use', '--', text] },
  { name: 'a profile in a variable', argv: () => ['ws', 'list'], env: (text) => ({ DTP_PROFILE: text }) },
  {
    name: 'the arguments of a command that is misspelled',
    argv: (text) => ['ws', 'tokns', 'delete', '--', text],
  },
  {
    name: 'a flag of a command that is misspelled',
    argv: (text) => ['events', 'serch', `--execution-id=${text}`],
  },
  {
    name: 'a flag, and another one without a value',
    argv: (text) => ['events', 'search', `--target-id=${text}`, '--type'],
  },
  { name: 'an argument, and a missing field', argv: (text) => ['artifacts', 'tags', 'add', '--', text] },
  {
    name: 'a reference to pull while the service is down',
    argv: (text) => ['artifacts', 'pull', '-O', 'out', '--', `pets:${text}`],
    answer: away,
  },
  {
    name: 'a flag of a command that resumes',
    argv: (text) => ['artifacts', 'pull', 'pets:v1', `--organization-slug=${text}`],
    answer: away,
  },
  {
    name: 'a profile for the same service',
    argv: (text) => ['events', 'get', 'e_1', `--profile=${text}`],
    answer: () => [200, [], json],
    prepare: stored((text) => ({ [text]: login })),
  },
  {
    name: 'a workspace of a job that runs on',
    argv: (text) => ['code-samples', 'jobs', 'get', 'j_1', '--wait', '--wait-timeout', '1ms', `--workspace=${text}`],
    answer: () => [202, { status: 'running' }, json],
  },
  {
    name: 'a job that runs on',
    argv: (text) => ['code-samples', 'jobs', 'get', '--wait', '--wait-timeout', '1ms', '--', text],
    answer: () => [202, { status: 'running' }, json],
  },
  {
    name: 'a workspace that is not that of the credential',
    argv: () => ['artifacts', 'namespaces', 'list'],
    env: (text) => ({ DTP_WORKSPACE_ID: text }),
    answer: (_, request) => (isList(request, '/workspaces') ? [200, [{ id: 'w_1', name: 'main' }], json] : undefined),
  },
  {
    name: 'a repository that is not set up',
    argv: (text) => ['codehost', 'setup', 'get', '--org=acme', `--repo=${text}`, `--lock-id=${text}`],
    answer: missing,
  },
  {
    name: 'a login without a terminal',
    argv: (text) => ['auth', 'login', '--base-url', base, `--profile=${text}`],
  },
  { name: 'a set-up without a terminal', argv: (text) => ['init', `--profile=${text}`, '--base-url', base] },
  {
    name: 'a run that goes on',
    argv: (text) => [
      ...['codehost', 'actions', 'trigger', '--org=acme', '--repo-name=pets', `--target-name=${text}`],
      ...['--gen-lock-id=l_1', '--wait', '--wait-timeout=1ms'],
    ],
    answer: (_, { method }) =>
      method === 'GET' ? [200, { run_url: 'https://x.test/1', run_status: 'running' }, json] : [204],
  },
];

const files: readonly PastedPlace[] = [
  {
    name: 'the current profile, whose login is refused',
    argv: () => ['ws', 'list'],
    isBare: true,
    prepare: (text, home) => {
      mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 });
      const content = exactJson({ current: text, profiles: { [text]: login } });
      writeFileSync(join(home, 'config', 'config.json'), content, { mode: 0o600 });
    },
    answer: () => [401, { message: 'no' }, json],
  },
  {
    name: 'the name of a profile that is similar',
    argv: (text) => ['config', 'use', '--', `${text}worl`],
    prepare: stored((text) => ({ [`${text}work`]: login })),
  },
  {
    name: 'the name of a profile that a flag may have meant',
    argv: (text) => ['ws', 'list', `--profile=${text}worl`],
    prepare: stored((text) => ({ [`${text}work`]: login })),
  },
  {
    name: 'a .dtp.json below a folder of this name',
    argv: () => ['ws', 'list'],
    prepare: (text, home) => {
      mkdirSync(join(home, text));
      folderFile(() => ({ base_url: 'https://other.example.test' }))('', join(home, text));
    },
    cwd: (text, home) => join(home, text),
    isBare: true,
    takes: isFileName,
  },
  {
    name: 'the workspace of a .dtp.json',
    argv: () => ['artifacts', 'namespaces', 'list'],
    prepare: folderFile((workspace) => ({ workspace })),
    env: () => ({ DTP_WORKSPACE_ID: '' }),
    answer: (_, request) => (isList(request, '/workspaces') ? [200, [{ id: 'w_1', name: 'main' }], json] : undefined),
  },
  {
    name: 'the name of a file that is not an API document',
    argv: (text) => ['artifacts', 'push', '--', text, 'pets:v1'],
    prepare: (text, home) => writeFileSync(join(home, text), 'a: 1'),
    takes: isFileName,
  },
  {
    name: 'the name of a file whose push breaks off',
    argv: (text) => ['artifacts', 'push', '--', text, 'pets:v1'],
    prepare: (text, home) => writeFileSync(join(home, text), '{"openapi":"3.1.0","info":{}}'),
    answer: away,
    takes: isFileName,
  },
  {
    name: 'a key file that others can read',
    argv: (text) => ['serve', `--owner-key-file=${text}`, '--port', '0'],
    prepare: (text, home) => writeFileSync(join(home, text), 'k', { mode: 0o644 }),
    isBare: true,
    takes: isFileName,
  },
];

export const pastedPlaces: readonly PastedPlace[] = [...typed, ...files, ...answered].map((place) => ({
  ...place,
  takes: (text) => isArgument(text) && (place.takes?.(text) ?? true),
}));
