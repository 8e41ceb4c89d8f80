/** Parses JSON and YAML. Preserves the order of keys, and how each number was written. */
import { Scalar } from 'yaml';
import { DocumentFault } from './fault.ts';
import { mostDepth, type Tree, type TreeFormat, tooDeep } from './tree.ts';
import { readYaml, type Strictness } from './yaml.ts';

/** Parses a document. Throws DocumentFault, which names the line. In JSON, the last of duplicate keys counts. */
export function readTree(source: string, level: Strictness): { readonly tree: Tree; readonly form: TreeFormat } {
  const text = source.replace(/^\uFEFF/, '');
  if (/^\s*[[{]/.test(text))
    try {
      return { tree: readJson(text), form: 'json' };
    } catch (error) {
      if (error instanceof DocumentFault) throw error;
      // YAML may also begin with a bracket.
    }
  return { tree: readYaml(text, level), form: 'yaml' };
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s",:[\]{}]+|[[\]{}]/gs;

function readJson(text: string): Tree {
  // Throws for invalid JSON. The loop below assumes that the JSON is valid.
  JSON.parse(text);
  const top: Tree[] = [];
  const open: (Tree[] | Map<string, Tree>)[] = [top];
  let key: string | undefined;
  const put = (tree: Tree) => {
    const holder = open.at(-1);
    if (Array.isArray(holder)) holder.push(tree);
    else holder?.set(key ?? '', tree);
    key = undefined;
  };
  for (const [token] of text.matchAll(tokens)) {
    if (token === '}' || token === ']') open.pop();
    else if (token === '{' || token === '[') {
      const tree = token === '{' ? new Map<string, Tree>() : [];
      put(tree);
      if (open.push(tree) > mostDepth + 2) throw new DocumentFault(tooDeep);
    } else if (key === undefined && !Array.isArray(open.at(-1))) key = JSON.parse(token);
    else put(scalarOf(JSON.parse(token), token));
  }
  return top[0] ?? new Scalar(null);
}

/** `source` is the value as written in the document. */
function scalarOf(value: unknown, source: string): Scalar {
  const scalar = new Scalar(value);
  if (typeof value === 'number') scalar.source = source;
  return scalar;
}
