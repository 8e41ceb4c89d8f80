/**
 * The list of the pages of the manual in package.json, without which npm does not link them. `add` writes it before the
 * package is packed, `remove` deletes it afterwards: nobody wants to read it in the checkout.
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
  // The last field, or no field.
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
