/** The files of a release that name others: the installer, the Homebrew formula, and the Dockerfile. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from './checksums.mjs';

/** Writes them to `release.out`. Throws if a template has a placeholder without a value. */
export function writeTemplates({ version, url, out }) {
  const values = { VERSION: version, URL: url, RELEASE: url.replaceAll('{version}', version) };
  for (const name of ['install.sh', 'dtp.rb', 'Dockerfile']) {
    const template = readFileSync(join(import.meta.dirname, name), 'utf8');
    const text = template.replace(/@([A-Z]+)(?:\(([\w-]+)\))?@/g, (whole, key, platform) => {
      if (key === 'DIGEST') return digestOf(join(out, `dtp-${version}-${platform}.tar.gz`));
      if (values[key] === undefined) throw new Error(`${name} has no value for ${whole}`);
      return values[key];
    });
    writeFileSync(join(out, name), text, { mode: name === 'install.sh' ? 0o755 : 0o644 });
  }
}
