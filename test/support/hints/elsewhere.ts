/** Hints with a command that no state prints, by the reason. */
export const elsewhere: readonly (readonly [why: string, keys: readonly string[]])[] = [
  [
    'It needs the server that prints it, which ends with the state.',
    [
      'commands/service/serve.ts: dtp serve  …',
      'commands/service/serve.ts: The embedded service listens on …\n\nIn another terminal:\n  export DTP_BASE_URL=…\n  export DTP_API_KEY=…\n  export DTP_WORKSPACE_ID=…\n  dtp ws current\n',
    ],
  ],
];
