/** States in which the command line is wrong, and what the service answers to each operation. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyOperation, sampleLine, writeSampleFile } from '../samples.ts';
import { completeEnv, type State } from './run.ts';
import { idToken } from './states-others.ts';

const mistakes: readonly string[] = [
  // Unknown commands and topics.
  'ws lst',
  'ws list tokens',
  'ws delete petstore',
  'ws nope',
  'login',
  'update',
  'version',
  'ws list help',
  'help nope',
  'help enviroment',
  'help ws nope',
  'help auth login extra',
  'schema nope',
  'schema tokns list',
  'ws',
  'events queue',
  // Arguments and flags.
  'events list',
  'ws tokens delete',
  'ws get w_1',
  'artifacts tags add pets sample.html --frob',
  'events post sample.html',
  'ws create a.json b.json',
  'artifacts pull pets v1',
  'config set workspace',
  'artifacts push openapi.yaml --namespace pets:v1',
  'artifacts pull a/b -O out',
  'ws list --frob',
  'ws list --worspace x',
  'ws list --token x',
  'doctor --watch=5x',
  'config path --watch',
  'config explain --watch=5s',
  'events search --limit',
  'events search --limit --',
  'events search --execution-id -- -w w_1',
  'events search --success=false',
  '--limit 5 events search',
  'ws list --query --json',
  'ws list -o jsn',
  'ws list -o wide',
  'sample openapi.yaml',
  'ws tokens create ci',
  'ws tokens create --name ci -o jsn',
  'artifacts namespaces set-visibility pets --public=maybe',
  'artifacts namespaces set-visibility pets',
  'artifacts namespaces set-visibility pets --public',
  'artifacts namespaces archive pets',
  'schema-store create openapi.yaml --package-name p --sdk-classname P',
  'schema-store create',
  'ws tokens delete t_1',
  'ws team revoke u_1',
  'publishing-tokens delete p_1',
  'orgs create --name Acme',
  'orgs free-trial create',
  'config delete default',
  'events queue drop --all',
  'events queue drop',
  'help --man . ws',
  // Values.
  'config get nope',
  'config set nope 1',
  'config set output jsn',
  'config set credential x',
  'config use nope',
  'config delete nope',
  'ws use',
  'auth login',
  'auth login --with-token',
  'init',
  'init --base-url https://api.example.test',
  'init --ci github --local --no-event',
  'init --ci gitlab --local --no-event',
  'open',
  'open --print',
  'completion',
  'completion nope',
  'dev',
  'dev npm test',
  'dev --',
  'mcp --tools nope',
  'mcp --tools ws_create',
  'events tail -o table --query x',
  'events tail -O out',
  'events tail -o csv',
  'events search --since soon',
  'events search --interaction-type CLIEXEC',
  'events post --body {"id":1}',
  'events post --body @gone.json',
  'events post --body -',
  'events post --body @sample.html',
  'events post --interaction-type LINT --frobnicate x',
  'events post --body {"id":"e_1","frob":1}',
  'events post --body {"created_at":"soon"}',
  'api /v1/user -H x-api-key:k',
  'api https://other.example.test/v1/user',
  'api -H host:x /v1/user',
  'api /v1/workspace/w_2/tokens',
  'ws create -F a',
  'ws create --body x',
  'ws create -F a[b=1',
  'reports upload --type linting --file gone.html',
  'code-samples preview --schema-file openapi.yaml --language go --method-paths {}',
  'code-samples preview --schema-file gone.yaml --language go',
  'suggest openapi --schema gone.yaml',
  'ws list --fields nope',
  'ws list --query [',
  'ws list --jq [',
  'ws list --jq 1e1000',
  'ws list --jq [range(1e8)]',
  'ws list --query nope -o name',
  'ws settings get -o name',
  'events search --chart -o json',
  'ws list --ca-cert gone.pem',
  'ws list --ca-cert sample.html',
  'ws list --ca-cert .',
  'ws list -O openapi.yaml',
  'ws list -O work/x/y.json',
  'config trust',
  'config trust gone',
  'config untrust',
  'config trust sample.html',
  'auth oidc-token',
  'auth oidc-token --variable NOPE',
  'publishing-tokens update p_1 --valid-until soon',
];

/** What remains of a line after a correction that goes with advice about a flag. */
const corrected: Readonly<Record<string, Pick<State, 'instead' | 'fails' | 'fill' | 'env'>>> = {
  'ws get w_1': { instead: 'ws get' },
  'ws list --query [': { instead: 'ws list' },
  'ws list --jq [range(1e8)]': { instead: 'ws list' },
  'artifacts push openapi.yaml --namespace pets:v1': {
    instead: 'artifacts push openapi.yaml --namespace pets',
    // The service of this state has no registry.
    fails: /a service with a registry/,
  },
  'ws list --token x': { instead: 'ws list' },
  'artifacts namespaces set-visibility pets': { fails: /needs confirmation; pass --yes/ },
  init: { fails: /missing flag: --with-token|no credential on standard input/ },
  'init --base-url https://api.example.test': { fails: /no credential on standard input/ },
  'api /v1/user -H x-api-key:k': { instead: 'api /v1/user' },
  'api https://other.example.test/v1/user': { instead: 'api /v1/user' },
  'auth oidc-token': { env: { ...completeEnv, JOB_TOKEN: idToken }, fill: { '--variable': 'JOB_TOKEN' } },
};

export const usageStates: readonly State[] = [
  ...mistakes.map(
    (line): State => ({ name: `dtp ${line}`, line: line.split(' '), env: completeEnv, ...corrected[line] }),
  ),
  {
    name: 'an event without a known field',
    line: ['events', 'post', '--body', '{"ids":"e_1"}'],
    fails: /1 invalid event was skipped/,
    env: completeEnv,
  },
  {
    name: 'fields after --json',
    line: ['ws', 'list', '--json', 'id,name'],
    instead: 'ws list --json',
    fill: { '--fields': 'id,name' },
    env: completeEnv,
  },
  {
    name: 'a file in place of an argument',
    line: 'events post events.ndjson',
    instead: 'events post',
    fill: { '--body': '@events.ndjson' },
    env: completeEnv,
    prepare: ({ cwd }) => writeFileSync(join(cwd, 'events.ndjson'), '{"id":"e_1"}\n'),
  },
];

const statuses = [204, 202, 400, 401, 403, 409, 413, 422, 429, 500, 503] as const;

/** Every operation with its usual answer and a 404, and every third one also with another failure, on a terminal. */
export const answerStates: readonly State[] = everyOperation.flatMap((operation, index) =>
  [200, 404, ...(index % 3 === 0 ? [statuses[(index / 3) % statuses.length] ?? 204] : [])].map((status): State => {
    const line = sampleLine(operation);
    return {
      name: `${operation.command.join(' ')}: ${status}`,
      line,
      env: { ...completeEnv, ...(status >= 400 && { DTP_RETRY: '0' }) },
      world: { tty: true },
      prepare: ({ cwd }) => writeSampleFile(cwd),
      answer: ({ url, method }) => {
        const { pathname } = new URL(url);
        const isPreflight = pathname.endsWith('/preflight') && operation.id !== 'preflight';
        if (isPreflight || pathname.endsWith('/auth/validate')) return undefined;
        if (status === 200) return undefined;
        if (status === 204) return [204];
        return [status, { message: 'no x_1', method }];
      },
      // The operation still fails, but the things that exist can be listed.
      later: () => undefined,
    };
  }),
);
