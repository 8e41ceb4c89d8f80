/** Parses JMESPath: the library's parser, with exact literals, and without what it accepts by mistake. */
import { compile, tokenize } from '@jmespath-community/jmespath';
import { attempt, messageOf } from '../caught.ts';
import { parseJson, UnrepresentableNumberError } from '../request/json.ts';
import { functionNamed } from './functions.ts';
import { QueryError } from './values.ts';

/** A parsed expression. */
export type Expression = ReturnType<typeof compile>;
type Token = ReturnType<typeof tokenize>[number];

/** The maximum length of an expression in characters. Reading it takes a tenth of a second, and nothing can end that. */
const longest = 64 * 1024;

/** Names and strings with their quotes, literals, a quote that is not closed, names and numbers. */
const lexeme = /"(?:\\.|[^"\\])*"|'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`|["'`]|[a-z_]\w*|-[-\d]+|\d[-\d]*/gis;

/** Throws QueryError for an invalid expression, and RangeError if it is nested too deeply. */
export function parseQuery(expression: string): Expression {
  if (expression.length > longest) throw new QueryError(`the expression is longer than ${longest} characters`);
  const literals: unknown[] = [];
  // The parser would round long integers, so it gets the number of each literal instead.
  const text = expression.replace(lexeme, (word, string?: string, json?: string) => {
    if (string === undefined && json === undefined) return checked(word);
    return `\`${literals.push(string?.replaceAll("\\'", "'") ?? literalOf(json ?? '')) - 1}\``;
  });
  const tree = parsed(text);
  complete(tree, literals);
  return tree;
}

function checked(word: string): string {
  if (/^["'`]$/.test(word)) throw new QueryError(`a ${word} is not closed`);
  if (word.startsWith('"') && attempt(() => JSON.parse(word), undefined) === undefined)
    throw new QueryError(`the name ${word} is not a valid JSON string`);
  if (/^[-\d].*-|^--/.test(word)) throw new QueryError(`${word} is not a number`);
  return word;
}

function literalOf(json: string): unknown {
  try {
    return parseJson(json.replaceAll('\\`', '`'));
  } catch (error) {
    if (error instanceof UnrepresentableNumberError) throw new QueryError(`a literal ${error.message}`);
    if (error instanceof SyntaxError) throw new QueryError(`\`${json}\` is not valid JSON; a string is written '…'`);
    throw error;
  }
}

function parsed(text: string): Expression {
  let tokens: readonly Token[] = [];
  try {
    tokens = tokenize(text);
    checkTokens(tokens);
    return compile(text);
  } catch (error) {
    if (error instanceof QueryError || error instanceof RangeError) throw error;
    throw new QueryError(syntaxFault(messageOf(error), tokens));
  }
}

const ends = /^(?:(?:Unq|Q)uotedIdentifier|Literal|Rbracket|Rparen|Rbrace|Current|Root|Variable|Flatten)$/;
const starts = /^(?:(?:Unq|Q)uotedIdentifier|Literal|Current|Root|Variable|Not|Expref)$/;

/** Throws QueryError for a list without commas, such as `[id name]`, or with one at its end. */
function checkTokens(tokens: readonly Token[]): void {
  for (const [at, { type, value }] of tokens.entries()) {
    const before = tokens[at - 1];
    if (before?.type === 'Comma' && type === 'Rparen') throw new QueryError('unexpected ")" after ","');
    const isLet = value === 'in' || before?.value === 'in' || before?.value === 'let';
    if (!isLet && ends.test(before?.type ?? '') && starts.test(type))
      throw new QueryError(
        `a comma or an operator is missing in front of ${type === 'Literal' ? 'a literal' : `"${value}"`}`,
      );
  }
}

/** Returns what is wrong with the syntax. The library names only the type of the token that it did not expect. */
function syntaxFault(message: string, tokens: readonly Token[]): string {
  const character = /unknown character: (.)/su.exec(message)?.[1];
  if (character !== undefined) return `unexpected "${character}"`;
  const type = /(?:token type: |got: |invalid token \(|unexpected token (?!type))(\w+)|\((\w+)\)$/
    .exec(message)
    ?.slice(1)
    .find(Boolean);
  if (type === undefined) return 'the syntax is not valid';
  if (type === 'EOF') return 'the expression is incomplete';
  return `unexpected ${shown(type, tokens)}`;
}

function shown(type: string, tokens: readonly Token[]): string {
  if (type === 'Literal') return 'literal';
  if (type === 'Number') return 'number: outside of [ ], write it in backquotes, such as `5`';
  const values = new Set(tokens.filter((token) => token.type === type).map(({ value }) => value));
  return values.size === 1 ? `"${[...values][0]}"` : 'name';
}

type Parts = Expression & { readonly children?: readonly Expression[]; readonly bindings?: readonly Expression[] };

/** Inserts the literals, and throws QueryError for what the parser does not check. */
function complete(node: Expression, literals: readonly unknown[]): void {
  if (node.type === 'Literal') {
    Object.assign(node, { value: literals[Number(node.value)] });
    return;
  }
  if (node.type === 'Function') functionNamed(node.name, node.children.length);
  if (node.type === 'Binding') throw new QueryError('unexpected "="; use "==" to compare');
  if (node.type === 'ExpressionReference') throw new QueryError('"&" can only start an argument of a function');
  for (const part of Object.values(node).flat()) if (part?.type !== undefined) complete(inner(node, part), literals);
}

/** Returns what is inside an argument of a function with `&`, or inside a part of `let`. Otherwise the node itself. */
function inner(parent: Expression, node: Parts): Expression {
  if (parent.type === 'Function' && node.type === 'ExpressionReference') return node.child;
  if (parent.type !== 'LetExpression' || node === parent.expression) return node;
  if (node.type !== 'Binding') throw new QueryError('"let" needs variables with values, such as $x = id');
  return node.reference;
}
