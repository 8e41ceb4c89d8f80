/** The release notes: what the changelog says about the version. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes RELEASE-NOTES.md. Throws if the changelog has no section for the version. */
export function writeNotes({ version, out }) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  const section = sections.find(
    (text) => text === version || (/^[\s,(]/.test(text.slice(version.length)) && text.startsWith(version)),
  );
  if (!section) throw new Error(`CHANGELOG.md has no section ${version}. Rename "Unreleased"`);
  writeFileSync(join(out, 'RELEASE-NOTES.md'), `${section.slice(section.indexOf('\n')).trim()}\n`);
}
