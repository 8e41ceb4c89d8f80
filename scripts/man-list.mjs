/**
 * The list of manual pages in package.json, which npm needs to link them. `add` writes it before the package is packed,
 * and `remove` deletes it afterwards, because it is too long for the checkout.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

export function addManList() {
  write(
    readdirSync('man')
      .sort()
      .map((file) => `man/${file}`),
  );
}

/** Changes nothing if there is no list. */
export const removeManList = () => write(undefined);

function write(man) {
  const text = readFileSync('package.json', 'utf8');
  // The list is always the last field. Undefined omits it.
  const { man: _, ...manifest } = JSON.parse(text);
  const next = `${JSON.stringify({ ...manifest, man }, undefined, 2)}\n`;
  if (next !== text) writeFileSync('package.json', next);
}

if (process.argv[1] === import.meta.filename) {
  const [task] = process.argv.slice(2);
  if (task === 'add') addManList();
  else if (task === 'remove') removeManList();
  else {
    process.stderr.write('man-list: pass add or remove\n');
    process.exit(2);
  }
}
