/** Implements `dtp doctor`, which suggests a fix for each problem. It never prompts and changes nothing. */
import { changeContext } from '../../context.ts';
import { durationOf } from '../../declarations/duration.ts';
import { deadlineIn } from '../../invocation/deadline.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { agentOf } from '../../output/agent.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import type { CheckResult } from '../../render/checks.ts';
import { faultOf } from '../../settings/keys.ts';
import type { Settings } from '../../settings/resolve.ts';
import { checksResult, type Finding } from './check.ts';
import {
  baseCheck,
  configurationCheck,
  credentialSourceCheck,
  folderFileCheck,
  profileCheck,
  settingsCheck,
} from './configuration.ts';
import { agentCheck, folderCheck, modesCheck, nodeCheck, spoolCheck, stateCheck } from './machine.ts';
import { networkChecks } from './network.ts';
import { serviceChecks } from './service.ts';

/** Runs all checks and returns their results. The first failed check determines the exit code. */
export async function diagnose(invocation: Invocation): Promise<Result> {
  const { context, settings } = invocation;
  const { timeout } = settings.values;
  const isUsable = timeout && faultOf('timeout', timeout.value) === undefined;
  const ms = isUsable && durationOf(timeout.value, timeout.source);
  const deadline = ms ? deadlineIn(context, ms, context.signal) : undefined;
  const bounded = deadline ? changeContext(context, { signal: deadline.signal }) : context;
  const findings = await withSpinner(context, 'checking', () => examine({ ...invocation, context: bounded })).finally(
    () => deadline?.end(),
  );
  return checksResult(findings, withOldKey);
}

async function examine(invocation: Invocation): Promise<readonly Finding[]> {
  const { context, settings, globals } = invocation;
  const configuration = await configurationCheck(context);
  const folderFile = await folderFileCheck(context, settings);
  const hasSecret = Object.values(configuration.stored?.profiles ?? {}).some((one) => 'credential' in one);
  const { base, finding: baseFinding } = baseCheck(context, settings);
  const agent = await agentOf(context, globals);
  const here = [
    nodeCheck(context),
    ...(agent ? [agentCheck(agent)] : []),
    configuration.finding,
    folderFile,
    profileCheck(settings, configuration.stored),
    settingsCheck(settings, [configuration.finding, folderFile]),
    await modesCheck(context, hasSecret),
    await stateCheck(context),
    await folderCheck(context, 'data', base?.value === 'local:'),
    baseFinding,
    credentialSourceCheck(context, settings, base),
  ];
  const usable = withoutFaults(settings);
  const network = await networkChecks(context, usable, globals, base?.value);
  const isReached = network.every(({ status }) => status !== 'fail');
  const service = await serviceChecks({ ...invocation, settings: usable }, base, isReached);
  return [...here, ...network, ...service, await spoolCheck(context)];
}

/** Returns the settings without the invalid values, which are already reported, so that other checks can run. */
function withoutFaults(settings: Settings): Settings {
  const values = Object.entries(settings.values).filter(([key, { value }]) => faultOf(key, value) === undefined);
  return { ...settings, values: Object.fromEntries(values) };
}

/** Until 1.0, the fix of a check is also in the old field `mend`. */
const withOldKey = (check: CheckResult): CheckResult & { readonly mend?: string } =>
  check.fix === undefined ? check : { ...check, mend: check.fix };
