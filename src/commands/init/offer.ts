/** Offers to set up a service, or to log in, if a command needs it and a person is at the terminal. */
import { DtpError } from '../../errors.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import { isUnsent } from '../../settings/global-flags.ts';

/** Runs a command. If the base URL or the credential is missing, prompts for it, stores it and runs it again. */
export async function runWithService<Done>(
  { context, globals, openPrompts }: Pick<Invocation, 'context' | 'globals' | 'openPrompts'>,
  run: () => Promise<Done>,
): Promise<Done> {
  try {
    return await run();
  } catch (error) {
    const missing = error instanceof DtpError ? error.facts.missing : undefined;
    // Whoever reads the output through a pipe does not expect a login.
    const isAsked =
      (missing === 'service' || missing === 'credential') && !isUnsent(globals) && context.stdout.isTTY === true;
    const prompts = isAsked ? openPrompts() : undefined;
    if (!(error instanceof DtpError) || !prompts) throw error;
    // The workspace and the output are those of the command, not of the login.
    const { profile, baseUrl, caCert, proxy, allowHttp } = globals;
    const all = { profile, baseUrl, caCert, proxy, allowHttp };
    const own = Object.fromEntries(Object.entries(all).filter(([, one]) => one));
    const invocation = await openInvocation(context, { globals: own, openPrompts, way: { login: true } });
    invocation.log.note(error.message);
    const given = { args: [], flags: {} };
    if (missing === 'service') {
      const { setUpService } = await import('./service.ts');
      await setUpService({ invocation, given, prompts, did: () => undefined });
    } else {
      const { logIn } = await import('../auth/auth.ts');
      await logIn(invocation, given);
    }
    return run();
  }
}
