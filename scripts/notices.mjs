/** The notices that the licenses of bundled packages require: each package with its license text. */

/** The notices of packages, which are the result of `packagesOf`. */
export function noticesOf(packages) {
  const names = [...packages.keys()].sort();
  const notices = names.map((name) => notice(name, packages.get(name)));
  const first = 'dtp contains code of the following packages, each with its license.';
  return `${[first, ...notices].join(`\n\n${'='.repeat(80)}\n`)}\n`;
}

function notice(name, { version, license, source, holder, texts }) {
  const where = source ? `\n${source}` : '';
  const held = holder ? `\nbundled in ${holder}` : '';
  // The Mozilla license requires the location of the source.
  const open = license.startsWith('MPL')
    ? `\nIts source, unchanged, is the npm package ${name.replace(` ${version}`, `@${version}`)}.`
    : '';
  const all = texts.size > 0 ? [...texts].join('\n\n') : 'The package contains no license text.';
  return `${name}\n${license}${where}${held}${open}\n\n${all}`;
}
