/** Documents of several files, made one by the bundler itself. */
import { bundle } from '../../src/documents/bundle.ts';
import { collectFiles } from '../../src/documents/files.ts';
import { readTree, writeTree } from '../../src/documents/tree.ts';

export type Value = Readonly<Record<string, unknown>> | readonly unknown[] | string;

export const ROOT = 'openapi.json';

/** The one document, decoded. Other files than JSON and YAML are texts. */
export async function bundled(files: Readonly<Record<string, Value>>): Promise<unknown> {
  const tree = (name: string) => {
    const value = files[name];
    return readTree(typeof value === 'string' ? value : JSON.stringify(value), true).tree;
  };
  const open = (name: string) => (name in files ? { tree: tree(name) } : { fault: 'is not there' });
  return JSON.parse(writeTree(bundle(ROOT, await collectFiles(ROOT, tree(ROOT), open)), 'json'));
}

export const ref = ($ref: string) => ({ $ref });

export const pet = { type: 'object', properties: { name: { type: 'string' } } };
