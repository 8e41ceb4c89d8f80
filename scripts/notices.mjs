/** What is bundled of others → the notices that their licences ask for: each package with its licence's text. */

/** The notices of packages, as `packagesOf` gives them. */
export function noticesOf(packages) {
  const names = [...packages.keys()].sort();
  const notices = names.map((name) => notice(name, packages.get(name)));
  const first = 'dtp holds code of these packages, each under its own licence, whose text follows.';
  return `${[first, ...notices].join(`\n\n${'='.repeat(80)}\n`)}\n`;
}

function notice(name, { version, license, source, holder, texts }) {
  const where = source ? `\n${source}` : '';
  const held = holder ? `\nas ${holder} holds it` : '';
  // The Mozilla licence asks for it.
  const open = license.startsWith('MPL')
    ? `\nIts source, unchanged, is the npm package ${name.replace(` ${version}`, `@${version}`)}.`
    : '';
  const all = texts.size > 0 ? [...texts].join('\n\n') : 'The package carries no text of it.';
  return `${name}\n${license}${where}${held}${open}\n\n${all}`;
}
