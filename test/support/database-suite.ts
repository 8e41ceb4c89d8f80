/** The tests that also run with a database server, and those that also run with a team's service. */
import { readFileSync } from 'node:fs';
import { hasSqld } from './sqld.ts';
import { hasTeam } from './team.ts';

/** Tests of the embedded service that only run with a file. */
const withFile: Readonly<Record<string, string>> = {
  'test/service/page/': 'there is no page with a database server',
  'test/service/data/': 'they test the file itself',
  'test/service/tenancy/rights.test.ts': 'its tests copy a file',
  'test/service/tenancy/weak-credentials.test.ts': 'each of its tests copies a file',
};

/** Returns the tests of the embedded service that open a store, and the story. None without a server, which is reported. */
export function databaseSuite(all: readonly string[]): string[] {
  if (!hasSqld) return [];
  const opens = (name: string) => /support\/(embedded-service|service-scope)/.test(readFileSync(name, 'utf8'));
  const stays = (name: string) => Object.keys(withFile).some((start) => name.startsWith(start));
  const service = all.filter((name) => name.startsWith('test/service/'));
  const suite = service.filter((name) => opens(name) && !stays(name));
  const reasons = Object.entries(withFile).map(([start, why]) => `  ${start}: ${why}\n`);
  process.stderr.write(`${suite.length} of ${service.length} files of test/service also run with a database server\n`);
  process.stderr.write(`${reasons.join('')}  others: they open no store\n`);
  return [...suite, 'test/process/every-command.slow.test.ts'];
}

/** Whole processes and an OCI client, which send everything to the load balancer. */
export const teamSuite = (): string[] =>
  hasTeam ? ['test/release/every-operation.test.ts', 'test/release/service-skopeo.test.ts'] : [];
