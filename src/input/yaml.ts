/** Decodes YAML. This is a separate file so that the parser is loaded only when it is needed. */
import { DocumentFault } from '../documents/fault.ts';
import { mostDepth, tooDeep, treeSize, treeValue } from '../documents/tree.ts';
import { readYaml } from '../documents/yaml.ts';
import { inputLimit } from '../limits.ts';

/** Parses YAML that JSON can represent. Throws DocumentFault. Long integers are refused, or with `exact` bigints. */
export function parseYaml(text: string, exact: boolean): unknown {
  const tree = readYaml(text, exact ? 'json' : 'exact');
  const { depth, characters } = treeSize(tree);
  if (depth > mostDepth) throw new DocumentFault(tooDeep);
  if (characters > inputLimit.bytes) throw new DocumentFault(`is larger than ${inputLimit.text}, counting every alias`);
  return treeValue(tree, exact);
}
