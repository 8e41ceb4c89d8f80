import { test, vi } from 'vitest';
import { appendFileSync, writeFileSync } from 'node:fs';
const places = new Set<string>();
vi.mock('../../src/settings/command-line.ts', async (original) => {
  const real = await original<typeof import('../../src/settings/command-line.ts')>();
  return { ...real, commandLine: (argv: readonly string[]) => {
    for (const [, file, line] of (new Error().stack ?? '').matchAll(/\/src\/([\w/-]+\.ts):(\d+)/g)) places.add(`${file}:${line}`);
    return real.commandLine(argv);
  } };
});
import { usageStates, answerStates } from '../support/hints/states-usage.ts';
import { settingStates } from '../support/hints/states-settings.ts';
import { follow } from '../support/hints/run.ts';
import { allHints } from '../support/hints/sources.ts';

test('x', async () => {
  const states = process.env.HINTS === 'settings' ? settingStates : process.env.HINTS === 'answers' ? answerStates : [...usageStates, ...settingStates, ...answerStates];
  let out = ''; let all = ''; let n = 0, bad = 0;
  for (const state of states) {
    appendFileSync('/tmp/hints-progress.txt', `${Date.now()} ${state.name}\n`);
    const o = await Promise.race([follow(state), new Promise<undefined>((d) => setTimeout(() => d(undefined), 20000))]);
    if (!o) { out += `HANGS ${state.name}\n`; continue; }
    all += o.ended.stderr + '\n';
    n += o.followed.length;
    for (const f of o.followed) if (f.fault) { bad++; out += `### ${state.name}\n${o.ended.stderr.slice(0, 500)}\n--> ${f.command}\n${f.fault.slice(0,400)}\n\n`; }
    if (o.ended.code === 0 && process.env.HINTS === 'usage') out += `(ok: ${state.name}) ${o.ended.stderr.slice(0,100)}\n`;
    if (o.ended.code === 1) out += `!!! 1: ${state.name} ${o.ended.stderr.slice(0,300)}\n`;
  }
  writeFileSync('/tmp/hints-bad.txt', out);
  const esc = (t: string) => t.split('…').map((p) => p.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*?');
  const missing = allHints().filter((h) => h.is === 'call' ? !places.has(`${h.file}:${h.line}`) : !new RegExp(esc(h.text)).test(all));
  writeFileSync('/tmp/hints-missing.txt', missing.map((h) => `${h.file}:${h.line} [${h.is}] ${h.text.slice(0,140)}`).join('\n'));
  console.log(`${states.length} states, ${n} commands run, ${bad} fail; ${allHints().length} hints, ${missing.length} not produced`);
});
