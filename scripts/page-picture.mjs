/** Takes the picture of the page of `dtp serve` in the README, from sample data in a real browser. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, missing } from './browser.mjs';

const file = 'docs/pictures/page.png';
const minute = 60_000;

/** The events of one hour. */
function samples(now) {
  const types = ['TARGET_GENERATE', 'CI_EXEC', 'LINT', 'PUBLISH'];
  const targets = ['typescript', 'python', 'go'];
  return Array.from({ length: 160 }, (_, index) => {
    // Waves of events, of which some fail.
    const age = 58 - index * 0.36 + Math.sin(index / 9) * 5;
    const type = types[index % 4];
    const isBad = index % 9 === 6;
    return {
      id: `event-${index}`,
      created_at: new Date(now - Math.abs(age) * minute).toISOString(),
      interaction_type: type,
      execution_id: `run-${20 + Math.floor(index / 4)}`,
      ...(type === 'CI_EXEC' ? { raw_command: 'npm test' } : { generate_target_name: targets[index % 3] }),
      ...(index % 11 !== 5 && { success: !isBad }),
      ...(isBad && index % 11 !== 5 && { error: type === 'LINT' ? '3 errors in openapi.yaml' : 'exit code 1' }),
    };
  });
}

/** Starts `dtp serve` with an empty HOME. Returns what it prints, and the function that stops it. */
async function serve(folder) {
  const env = { PATH: process.env.PATH, HOME: folder, TZ: 'UTC' };
  const child = spawn(process.execPath, ['bin/dtp.cjs', 'serve', '--ephemeral', '-o', 'json'], { env });
  const ended = new Promise((done) => child.on('close', done));
  const line = await new Promise((done) => child.stdout.once('data', done));
  const stop = () => {
    child.kill();
    return ended;
  };
  return { ...JSON.parse(line), stop };
}

if (missing) {
  process.stderr.write(`${file} stays as it is, because ${missing}\n`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-picture-'));
  const { address, key, workspace_id, stop } = await serve(folder);
  const browser = await launch();
  await fetch(`${address}/v1/workspace/${workspace_id}/events`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(samples(Date.now())),
  });
  const page = await browser.newPage({ viewport: { width: 960, height: 600 } });
  await page.goto(address);
  await page.fill('input[name=key]', key);
  await page.click('main button');
  await page.locator('#state', { hasText: 'Live' }).waitFor();
  await page.locator('figcaption', { hasNotText: 'still counting' }).waitFor();
  await page.screenshot({ path: file });
  await browser.close();
  await stop();
  rmSync(folder, { recursive: true });
}
