/** The first line of a test run, `seed N`, and the last, `N passed, N failed`. */
import type { Reporter, TestModule, Vitest } from 'vitest/node';

export default class Tally implements Reporter {
  onInit({ config }: Vitest): void {
    process.stdout.write(`seed ${config.env.DTP_SEED} (repeat with DTP_SEED=${config.env.DTP_SEED})\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((one) => [...one.children.allTests()].map((test) => test.result().state));
    // A file that does not load runs no test, but counts as a failure.
    const broken = modules.filter((one) => one.state() === 'failed' && one.errors().length > 0).length;
    const count = (state: string) => states.filter((one) => one === state).length;
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
    process.stdout.write(`\n${count('passed')} passed, ${count('failed') + broken} failed${skipped}\n`);
  }
}
