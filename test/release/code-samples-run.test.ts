/**
 * Code samples run: those of all operations in GitHub's OpenAPI description, and of operations that are hard to write
 * as code. Each sends exactly the request that the document describes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { snippetsOf } from '../../src/service/documents/snippets.ts';
import { githubOperations } from '../support/github-document.ts';
import { recordSamples } from '../support/sample-recorder.ts';
import { absences, runSamples } from '../support/sample-runs.ts';

const recorder = await recordSamples();
const folder = mkdtempSync(join(tmpdir(), 'dtp-samples-'));
afterAll(() => {
  recorder.close();
  rmSync(folder, { recursive: true, force: true });
});

const { document, all, fromGithub } = githubOperations(recorder.address);

for (const [language, absence] of Object.entries(absences))
  if (absence) process.stderr.write(`skipped: the samples in ${language} do not run, because ${absence}\n`);

test.each(Object.entries(absences).filter(([, absence]) => absence === undefined))(
  'all samples in %s send the request that the document describes',
  async (language) => {
    const samples = snippetsOf(document, { languages: [language] }).map(({ code }) => code);
    expect([samples.length, fromGithub]).toEqual([all.length, 1223]);
    const place = mkdtempSync(join(folder, `${language}-`));
    await runSamples(language, samples, place);
    const differences = await recorder.differences(all.map(({ expected }) => expected));
    expect(differences).toEqual([]);
  },
);
