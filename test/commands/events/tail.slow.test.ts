/** `dtp events tail`: what it prints and sends, and how it ends. */
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { World } from '../../support/context.ts';
import { served } from '../../support/embedded-service.ts';
import { home, start } from '../../support/process.ts';
import { NOW, type Reply, runUntilCtrlC } from '../../support/run-until-ctrl-c.ts';
import { hasScript, terminal } from '../../support/terminal.ts';

const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString();

const generated = {
  id: 'e1',
  interaction_type: 'TARGET_GENERATE',
  success: true,
  created_at: at(0),
  duration_ms: 5120,
  generate_target: 'typescript',
  git_remote_default_owner: 'acme',
  git_remote_default_repo: 'petstore',
};
const failed = {
  id: 'e2',
  interaction_type: 'LINT',
  success: false,
  created_at: at(1),
  duration_ms: 412,
  repo_label: 'acme/petstore',
  error:
    '3 errors in spec/openapi.yaml:\n\u001b[2J1:1 no title, see https://rules.example.com/info-title-is-required\n',
};
const plain = { id: 'e3', interaction_type: 'CLI_EXEC', created_at: at(86_400) };

const follow = (argv: readonly string[], replies: readonly Reply[], world?: World, code?: number) =>
  runUntilCtrlC(['events', 'tail', ...argv], replies, world, code);

test('in a pipe it prints one event per line, and a summary at Ctrl-C', async () => {
  const replies: readonly Reply[] = [
    [200, []],
    [200, [failed, generated]],
    [200, [failed, generated]],
  ];
  const { code, stdout, stderr } = await follow([], replies);
  expect(stdout.split('\n').map((line) => line && JSON.parse(line))).toEqual([generated, failed, '']);
  expect(stderr).toMatch(/^2 events, 1 failed; followed for \d+ s\n$/);
  expect(code).toBe(0);
});

test.each([
  [[], ''],
  [['--success'], '&success=true'],
  [['--no-success', '--execution-id', 'run-77'], '&execution_id=run-77&success=false'],
  [['--interaction-type', 'LINT'], '&interaction_type=LINT'],
])('%j sends its filters with each request', async (argv, query) => {
  const { asked } = await follow(argv, [[200, []]]);
  const sorted = (url: string) =>
    [...new URL(url, 'http://x').searchParams].filter(([name]) => name !== 'limit').sort();
  expect(sorted(asked[0] ?? '')).toEqual([...new URLSearchParams(query)].sort());
  expect(asked).toHaveLength(2);
});

test('a type that looks like a typo is noted', async () => {
  const { stderr } = await follow(['--interaction-type', 'LNIT'], [[200, []]]);
  expect(stderr).toContain('did you mean "LINT"?');
});

describe('lines for people', () => {
  const replies: readonly Reply[] = [[200, [plain, failed, generated]]];
  const argv = ['--since', '1h'];
  const lines = async (more: readonly string[], world: World) =>
    (await follow([...argv, ...more], replies, world)).stdout;

  test.each([
    [
      72,
      `\
  WHEN      TYPE             TARGET        TOOK    BRANCH/REPO
✔ 14:03:22  TARGET_GENERATE  typescript    5.1 s   acme/petstore
✘ 14:03:23  LINT                           412 ms  acme/petstore
`,
    ],
    [
      40,
      `\
  WHEN      TYPE             BRANCH/REPO
✔ 14:03:22  TARGET_GENERATE  acme/petst…
✘ 14:03:23  LINT             acme/petst…
`,
    ],
  ])(
    '%d columns: errors are below their event with unbroken URLs, and a date is where the day changes',
    async (columns, rows) => {
      expect(await lines([], { tty: true, columns, env: { NO_COLOR: '1' } })).toBe(`${rows}\
    3 errors in spec/openapi.yaml:
    \\u001b[2J1:1 no title, see
    https://rules.example.com/info-title-is-required
2026-02-01
- 14:03:22  CLI_EXEC
`);
    },
  );

  test.each([
    ['a simple terminal', { tty: true, columns: 60, env: { TERM: 'dumb' } }, []],
    ['a pipe', {}, ['-o', 'table']],
  ])('%s gets ASCII signs and no color', async (_, world, more) => {
    const text = await lines(['--no-headers', ...more], world);
    expect(text.split('\n').slice(0, 2)).toEqual(
      [
        'ok 14:03:22  TARGET_GENERATE  typescript    5.1 s   acme/petstore'.slice(0, 65),
        'x  14:03:23  LINT                           412 ms  acme/petstore'.slice(0, 65),
      ].map((line) => ('tty' in world ? `${line.slice(0, 59)}~` : line)),
    );
    expect(text).not.toContain('\u001b');
  });

  test('a failure is red', async () => {
    const text = await lines([], { tty: true, columns: 80 });
    expect(text).toContain('\u001b[32m✔\u001b[39m 14:03:22');
    expect(text).toContain('\u001b[31m✘ 14:03:23');
  });
});

describe('failures', () => {
  test('an outage is reported once, and so is its end', async () => {
    const down: Reply = [503, { message: 'restarting' }];
    const replies: readonly Reply[] = [[200, []], down, [429, {}, { 'retry-after': '1' }], down, [200, [generated]]];
    const { code, stdout, stderr } = await follow([], replies);
    expect(JSON.parse(stdout)).toEqual(generated);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^warning: cannot get events: 503 .*; trying again$/),
      expect.stringMatching(/^the service responds again, after \d+ s$/),
      expect.stringMatching(/^1 event; followed for \d+ s$/),
      '',
    ]);
    expect(code).toBe(0);
  });

  test('a list that is cut in the middle of an event is read again', async () => {
    const cut: Reply = [200, [generated], { 'content-length': '50' }];
    const { stdout } = await follow([], [[200, []], cut, [200, [generated]]]);
    expect(JSON.parse(stdout)).toEqual(generated);
  });

  test.each([
    ['the service is down at the start', [[503, {}]], 10],
    ['the key is wrong', [[401, {}]], 4],
    [
      'the key expires',
      [
        [200, []],
        [401, {}],
      ],
      4,
    ],
    ['the response is not a list', [[200, { events: [] }]], 12],
  ] satisfies readonly (readonly [string, readonly Reply[], number])[])('%s', async (_, replies, code) => {
    expect((await follow([], replies)).code).toBe(code);
  });

  test('other signals have their exit codes', async () => {
    const { code, stderr } = await follow([], [[200, []]], {}, 143);
    expect([code, stderr]).toEqual([143, '']);
  });
});

test.each([
  [['-o', 'yaml'], '-o yaml', '-o ndjson'],
  [['--json'], '-o json', '-o ndjson'],
  [['-o', 'name'], '-o name', '-o ndjson'],
  [['-O', 'events.json'], '-O', '> events.ndjson'],
  [['-o', 'table', '--fields', 'id'], '--fields', '-o ndjson'],
  [['-o', 'table', '--jq', '.id'], '--jq', '-o ndjson'],
  [['--since', '1 hour'], '--since must be a time such as 1h, yesterday', 'counts back from now'],
  [['--since', '2026-02-30'], '--since', '2026-01-31T12:00:00Z'],
  [['--poll-interval', 'often'], '--poll-interval', '90s'],
])('%j is refused before anything is sent', async (argv, what, hint) => {
  const { code, stdout, stderr, asked } = await follow(argv, []);
  expect([code, stdout, asked]).toEqual([2, '', []]);
  expect(stderr).toContain(what);
  expect(stderr).toContain(hint);
});

test.each(['1h30m', 'today', '2016-12-31T23:59:60Z', at(0)])('--since %s includes earlier events', async (since) => {
  const { stdout } = await follow(['--since', since], [[200, [generated]]]);
  expect(JSON.parse(stdout)).toEqual(generated);
});

test('--since leaves out older events', async () => {
  expect((await follow(['--since', 'now'], [[200, [{ ...generated, created_at: at(-1) }]]])).stdout).toBe('');
});

test('--fields selects the fields of each line', async () => {
  const { stdout } = await follow(['--since', at(-60), '--fields', 'id,success'], [[200, [failed, generated]]]);
  expect(stdout).toBe('{"id":"e1","success":true}\n{"id":"e2","success":false}\n');
});

test.each([
  [['--jq', '.id, (select(.success == false) | {error: .error[:8]})'], '"e1"\n"e2"\n{"error":"3 errors"}\n'],
  [['--jq', '.id, (select(.success == false) | {id})', '-r'], 'e1\ne2\n{"id":"e2"}\n'],
  [['--jq', 'select(.success == false).id'], '"e2"\n'],
  [['--query', 'id'], '"e1"\n"e2"\n'],
  [['--query', 'id', '-r'], 'e1\ne2\n'],
])('%j applies to each event', async (argv, lines) => {
  const { code, stdout, stderr } = await follow(['--since', at(-60), ...argv], [[200, [failed, generated]]]);
  expect([code, stdout]).toEqual([0, lines]);
  expect(stderr).toMatch(/^2 events, 1 failed;/);
});

test('an expression that fails ends it', async () => {
  const { code, stdout, stderr } = await follow(['--since', at(-60), '--jq', '.id + 1'], [[200, [generated]]]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--jq: string ("e1") and number (1) cannot be added');
});

describe('the whole process', () => {
  /** The embedded service, and how to post an event to it. */
  async function world() {
    const service = await served();
    const place = home();
    onTestFinished(async () => {
      await service.close();
      place.remove();
    });
    let count = 0;
    const post = () => {
      const json = [{ id: `e${++count}`, interaction_type: 'LINT', success: false, error: 'no title' }];
      return service.call('POST', `/v1/workspace/${service.workspaceId}/events`, { json });
    };
    const env = {
      DTP_BASE_URL: service.address,
      DTP_API_KEY: service.key,
      DTP_WORKSPACE_ID: service.workspaceId,
    };
    return { folder: place.folder, env, post };
  }

  test('it exits with 0, without a word, if its reader has seen enough', async () => {
    const { folder, env, post } = await world();
    await post();
    const argv = ['events', 'tail', '--since', '2020-01-01T00:00:00Z', '--poll-interval', '50ms'];
    const child = start(folder, argv, { env });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [line] = await once(child.stdout, 'data');
    expect(JSON.parse(String(line)).id).toBe('e1');
    child.stdout.destroy();
    const ended = once(child, 'close');
    await post();
    expect([(await ended)[0], stderr]).toEqual([0, '']);
  });

  test.skipIf(!hasScript)('on a terminal, Ctrl-C ends it with 0 and a summary', async () => {
    const { folder, env, post } = await world();
    let isReady = false;
    const ended = terminal(folder, 'events tail --poll-interval 50ms', {
      env,
      survives: true,
      typed: [
        ['press Ctrl-C', ''],
        ['no title', '\u0003'],
      ],
    });
    const posting = (async () => {
      // The first event may come before the first poll, which makes it an old one.
      while (!isReady) {
        await post();
        await new Promise((done) => setTimeout(done, 300));
      }
    })();
    const { code, screen } = await ended;
    isReady = true;
    await posting;
    expect(screen).toContain('✘');
    expect(screen).toMatch(/events?, \d+ failed; followed for \d+ s\n.*next: dtp events search --no-success/);
    expect(code).toBe(0);
  });
});
