/** `dtp serve`: runs the embedded service on a port until it is interrupted. */
import { wordsOf } from '../../invocation/connect.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { LocalGiven } from '../../local/command.ts';
import type { serverFlags } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { checkTrusted } from '../../settings/trust.ts';
import { openServer, refuseWorkspace, type Server } from './server.ts';

export async function serve(
  { context, globals, settings, output, log }: Invocation,
  { flags }: LocalGiven<typeof serverFlags>,
): Promise<Result> {
  refuseWorkspace(globals, 'Leave it out.');
  for (const key of ['words.codehost', 'words.docsite'] as const) checkTrusted(settings, key);
  const server = await openServer(context, log, flags, [wordsOf(settings)]);
  let closed: Promise<boolean> | undefined;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  const text = output.asked === 'json' ? facts(server, context.pid) : welcome(server);
  const after = async () => {
    if (!context.signal.aborted)
      await new Promise((done) => context.signal.addEventListener('abort', done, { once: true }));
    // If requests had to be aborted, exit with the code of the interrupt.
    if (!(await close())) throw context.signal.reason;
  };
  const calls = {
    signal: context.signal,
    explain: (error: unknown) => error,
    end: async () => {
      await close();
    },
  };
  return { kind: 'text', text, after, calls };
}

/** One line, for scripts. */
const facts = ({ url, key, workspace }: Server, pid: number) =>
  `${JSON.stringify({ address: url, key, workspace_id: workspace, pid })}\n`;

const welcome = ({ url, key, workspace }: Server) => `\
The embedded service listens on ${url}

In another terminal:
  export DTP_BASE_URL=${url}
  export DTP_API_KEY=${key}
  export DTP_WORKSPACE_ID=${workspace}
  dtp ws current
`;
