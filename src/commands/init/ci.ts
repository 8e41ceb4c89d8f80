/** Prints a job for the CI system of a repository, or writes it to a new file. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { checkedFolder } from '../../files/boundary.ts';
import { openAt, readAllOf } from '../../files/open.ts';
import { schemeNamed } from '../../operations/schemes.ts';
import { variableOf } from '../../settings/credential.ts';
import { isOn } from '../../settings/switches.ts';
import { repositoryOf } from '../../system/repository.ts';
import { version } from '../../version.ts';
import { type Setup, writeNew } from './setup.ts';

interface System {
  readonly name: string;
  /** The path of its configuration, relative to the root of the repository. */
  readonly sign: string;
  readonly file: string;
  readonly job: (values: Values) => string;
  /** The remaining steps after the file is written. */
  readonly next: (values: Values) => readonly string[];
}

interface Values {
  readonly baseUrl: string;
  readonly workspace: string | undefined;
  /** The variable of the credential, such as DTP_API_KEY. */
  readonly secret: string;
}

const post = 'dtp events post --type CI_EXEC --success --allow-failure';

/** A JSON string is also a YAML string. */
const settingsIn = ({ baseUrl, workspace }: Values, indent: string): string =>
  Object.entries({ DTP_BASE_URL: baseUrl, DTP_WORKSPACE_ID: workspace })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${indent}${name}: ${JSON.stringify(value)}\n`]))
    .join('');

/** The lines that download dtp, compare its digest and unpack it. They need no other program than a runner has. */
const installIn = (indent: string): string =>
  [
    'folder=$(mktemp -d)',
    `archive=dtp-${version}-linux-x64`,
    'curl -fsSL --retry 3 -o "$folder/dtp.tar.gz" "$DTP_RELEASE_URL/$archive.tar.gz"',
    'echo "$DTP_SHA256  $folder/dtp.tar.gz" | sha256sum -c -',
    'tar -xzf "$folder/dtp.tar.gz" -C "$folder"',
  ]
    .map((line) => `${indent}${line}\n`)
    .join('');

const variablesText = `The URL of the files of release ${version}, and the digest of dtp-${version}-linux-x64.tar.gz in its SHA256SUMS`;

const systems: readonly [System, System] = [
  {
    name: 'GitHub Actions',
    sign: join('.github', 'workflows'),
    file: join('.github', 'workflows', 'dtp.yml'),
    job: (values) => `name: dtp
on: push
jobs:
  dtp:
    runs-on: ubuntu-latest
    permissions: { contents: read }
    env:
${settingsIn(values, '      ')}      ${values.secret}: \${{ secrets.${values.secret} }}
      # ${variablesText}:
      DTP_RELEASE_URL: \${{ vars.DTP_RELEASE_URL }}
      DTP_SHA256: \${{ vars.DTP_SHA256 }}
    steps:
      - run: |
${installIn('          ')}          echo "$folder/$archive" >> "$GITHUB_PATH"
      - run: dtp doctor -o table
      - run: ${post}
`,
    next: ({ secret }) => [
      `Add the secret ${secret} and the variables DTP_RELEASE_URL and DTP_SHA256 to the repository. The job explains them.`,
    ],
  },
  {
    name: 'GitLab CI',
    sign: '.gitlab-ci.yml',
    file: join('.gitlab', 'dtp.yml'),
    job: (values) => `# Two variables of the project, DTP_RELEASE_URL and DTP_SHA256:
# ${variablesText}.
dtp:
  image: buildpack-deps:stable
  variables:
${settingsIn(values, '    ')}  script:
    - |
${installIn('      ')}      export PATH="$folder/$archive:$PATH"
    - dtp doctor -o table
    - ${post}
`,
    next: ({ secret }) => [
      `Add the masked variable ${secret}, and the variables DTP_RELEASE_URL and DTP_SHA256, to the project. The job explains them.`,
      'Include the file in .gitlab-ci.yml: include: { local: .gitlab/dtp.yml }',
    ],
  },
];

/** The CI system of the repository, and the file of the job. */
export type CiPlace = NonNullable<Awaited<ReturnType<typeof findCi>>>;

/** Undefined if no job was asked for and the repository uses no CI. Throws `usage` if --ci would replace a file. */
export async function findCi({ invocation: { context }, given }: Setup) {
  const { ci: flag } = given.flags;
  const root = repositoryOf(context) ?? context.cwd;
  const [github, gitlab] = systems;
  const isGitlab = isOn(context.env.GITLAB_CI);
  const found = isGitlab ? gitlab : systems.find(({ sign }) => existsSync(join(root, sign)));
  // Without a sign of any CI, a job that was asked for is one for the host of the repository.
  const system = found ?? (flag === undefined ? undefined : (await isOnGitlab(context, root)) ? gitlab : github);
  if (!system) return undefined;
  const file = join(root, system.file);
  const isTaken = existsSync(file);
  if (flag === 'write' && isTaken)
    throw new DtpError('usage', `--ci write: ${file} already exists and was not changed`, { hint: 'Use --ci print.' });
  return { system, file, isTaken };
}

/** Whether a remote of the repository is on a host such as gitlab.com. */
async function isOnGitlab(context: Context, root: string): Promise<boolean> {
  try {
    const config = await openAt(context, { path: join(root, '.git', 'config'), boundary: root }, { name: 'git' });
    const text = String(await readAllOf(config, context.signal, 1024 * 1024));
    return text.split('\n').some((line) => line.trim().startsWith('url') && /(\/\/|@)gitlab\./.test(line));
  } catch {
    return false;
  }
}

/** Offers a job. Returns null without a CI, or if the user declines. The file is null if the job is only printed. */
export async function offerCi(setup: Setup, place: CiPlace | undefined) {
  const { invocation, given, prompts } = setup;
  const { context, settings, log } = invocation;
  const { ci: flag } = given.flags;
  if (!place || settings.values.base_url?.value === 'local:') return null;
  const { system, file, isTaken } = place;
  const choices = [
    ...(isTaken ? [] : [{ value: 'write', label: `Write ${system.file}`, hint: 'a new file' }]),
    { value: 'print', label: 'Print it', hint: '' },
    { value: 'none', label: 'Skip', hint: '' },
  ];
  const what = flag ?? (prompts ? await prompts.pick(`Add a job to ${system.name}?`, choices) : 'none');
  if (what === 'none') return null;
  const { values: set, stored } = settings;
  const secret = variableOf(schemeNamed(stored.scheme ?? set.scheme?.value));
  const values = { baseUrl: set.base_url?.value ?? '', workspace: set.workspace?.value, secret };
  const job = system.job(values);
  if (what === 'write') {
    const { makeFolders } = await import('../../store/files.ts');
    await makeFolders(checkedFolder(context, dirname(file), '--ci write'), 0o755);
    await writeNew(setup, file, job);
    for (const line of system.next(values)) log.note(line);
    return { system: system.name, job, file };
  }
  log.note(`A job for ${system.name}, for example in ${system.file}:`);
  for (const line of ['', ...job.trimEnd().split('\n'), '']) log.note(line === '' ? '' : `  ${line}`);
  return { system: system.name, job, file: null };
}
