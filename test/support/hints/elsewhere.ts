/** Hints with a command that no state prints, by the reason. */
export const hintsWithoutState: readonly (readonly [why: string, keys: readonly string[]])[] = [
  [
    'It needs the server that prints it, which ends with the state.',
    [
      'commands/service/serve.ts: dtp serve  …',
      'commands/service/serve.ts: The embedded service listens on …\n\nIn another terminal:\n…\n  dtp ws current\n',
    ],
  ],
  [
    'It is in a long result for an agent. test/output/agent.test.ts has it.',
    ['cli/front.ts: lineWith(argv, { flag, value: whole })'],
  ],
  [
    'It needs a database server. test/service/database/serve-database.slow.test.ts runs it.',
    ['commands/service/shared.ts: needs …, which dtp serve creates'],
  ],
  [
    'It is on the page of the embedded service. test/service/page runs it.',
    [
      "commands/service/page-showing.ts: commandLine(['api', ...(method === 'GET' ? [] : ['-X', method]), [pathname + search], ...json])",
      "commands/service/page-showing.ts: commandLine([ ...operation.command, ...asArguments(argumentsOf(operation).map(([name]) => String(values[name]))), ...flagWords(operation, values), ...(takesBody(operation) ? json : []), // Without it, the command would add an id and times. ...(operation.flow === 'spool' ? ['--no-fill'] : []), ...asArguments(hasOtherBody ? ['FILE'] : []), ])",
    ],
  ],
  [
    'It is tested in test/settings/credential-choice.test.ts and test/commands/newcomer.test.ts.',
    [
      'commands/doctor/service.ts: no workspace is set, which commands such as dtp events post need; the credential belongs to …',
      'invocation/workspace-text.ts: the credential belongs to workspace "…", but …, so commands that use the credential\'s workspace exit with 2. Others, such as dtp events post, act on "…"',
      'commands/help/help.ts: what the word means: dtp help concepts',
    ],
  ],
  ['It is a line of the first help page.', ['commands/help/pages.ts: dtp help TOPIC: …']],
];

/** Advice about a flag or a variable that no state follows, by the reason. */
export const notFollowed: readonly (readonly [why: string, keys: readonly string[]])[] = [
  [
    'It needs a certificate or a database server. test/commands/service and test/service/database use both.',
    [
      'commands/service/endpoint.ts: Pass --tls-cert FILE and --tls-key FILE or, if a proxy serves HTTPS, --behind-proxy and --allow-host NAME.',
      'commands/service/shared.ts: Check its URL, and the token in DTP_DATABASE_TOKEN',
      'commands/service/shared.ts: http: is possible on loopback and, with --allow-http, in a network that you trust.',
    ],
  ],
  [
    'It states a fact. What to do is the command after it, or is evident.',
    [
      'cli/front.ts: select fewer rows with --jq; -o json has all of them',
      'suggest/usage-errors.ts: --watch works only with commands that read changing data, for example:',
      'commands/api.ts: -H …: dtp sets this header itself',
      'commands/artifacts/pull.ts: Name the folder with -O.',
      'request/curl.ts: Use --dry-run, which shows the request as JSON.',
      'suggest/surplus.ts: Give the name with --name.',
      'suggest/usage-errors.ts: Use --query (JMESPath) or --jq, not JSONPath.',
      'commands/artifacts/push.ts: pass either "…" or --namespace, not both',
      'commands/init/sample.ts: --sample only writes files; run dtp init --… separately',
      'output/write-list.ts: … of …; more with a higher --limit',
      'commands/operation/period.ts: Use filters such as --execution-id, or a shorter period.',
      'commands/init/init.ts: --ci print needs the URL of the service; pass it with --base-url',
      'commands/events/spool.ts: If this service has ended, start it again with the same --port, or delete the events. List them with:',
    ],
  ],
  [
    'No input leads to it: every error of a certificate file has its own advice, and every setting that needs trust has a flag.',
    [
      'commands/doctor/network.ts: Pass another file with --ca-cert.',
      'settings/trust.ts: It is the …. Set it in a profile and select that with --profile',
    ],
  ],
  [
    'It is about Node itself, which a test in this process cannot start again.',
    ['main.ts: Run it without --jitless (check NODE_OPTIONS).'],
  ],
  [
    'It is followed in test/files/hostile.slow.test.ts and test/settings/folders-in-repository.test.ts.',
    ['files/open.ts: To read standard input, pass …', 'store/exposure.ts: set … to a folder outside of it, or run:'],
  ],
  [
    'It needs a full disk. test/reliability runs that.',
    ['store/spool-errors.ts: … another folder with DTP_STATE_DIR, or send without queueing: --no-queue.'],
  ],
];
