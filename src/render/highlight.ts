/** Colors source code for a terminal. Loaded only there, and each language only if it is needed. */
import { Chalk } from 'chalk';
import type { LanguageFn } from 'highlight.js';
import core from 'highlight.js/lib/core';

const languages: Readonly<Record<string, () => Promise<{ readonly default: LanguageFn }>>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  go: () => import('highlight.js/lib/languages/go'),
  java: () => import('highlight.js/lib/languages/java'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

/** Other names of these languages. */
const others: Readonly<Record<string, string>> = {
  ...{ curl: 'bash', shell: 'bash', sh: 'bash', py: 'python', cs: 'csharp', unity: 'csharp', rb: 'ruby' },
  ...{ javascript: 'typescript', node: 'typescript', js: 'typescript', ts: 'typescript' },
};

/** Above this number of characters, code stays without color. */
const longest = 256 * 1024;

/** Returns code with escape sequences, and changes nothing else. Code of an unknown language stays as it is. */
export async function highlighted(code: string, language: string): Promise<string> {
  const name = others[language.toLowerCase()] ?? language.toLowerCase();
  const load = Object.hasOwn(languages, name) ? languages[name] : undefined;
  if (load === undefined || code.length > longest) return code;
  core.registerLanguage(name, (await load()).default);
  return inColor(core.highlight(code, { language: name, ignoreIllegals: true }).value);
}

/** A key or an item, after comments and empty lines. */
const documentStart = /^(?:#.*\n|---\n|[ \t]*\n)*(?:["']?[\w$.-]+["']?:|-)(?:\s|$)/;

/** The same for a document of YAML or JSON. Any other text stays as it is. */
export async function highlightedDocument(text: string): Promise<string> {
  if (/^\s*[{[]/.test(text)) return highlighted(text, 'json');
  return documentStart.test(text) ? highlighted(text, 'yaml') : text;
}

/** The library writes spans of HTML, which may contain each other. */
const part = /<span class="([^"]*)">|(<\/span>)|([^<]+)/g;

function inColor(html: string): string {
  const open: string[] = [];
  let text = '';
  for (const [, begun, ended, plain = ''] of html.matchAll(part)) {
    if (begun !== undefined) open.push(begun);
    else if (ended !== undefined) open.pop();
    else text += painted(unescaped(plain), open);
  }
  return text;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const unescaped = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (one) => entities[one] ?? one);

const chalk = new Chalk({ level: 1 });
/** Colors that are readable on light and dark backgrounds. */
const colors: readonly (readonly [kind: RegExp, paint: (text: string) => string])[] = [
  [/comment|doctag|meta/, chalk.dim],
  [/string|regexp/, chalk.green],
  [/number|literal|bullet/, chalk.yellow],
  [/keyword|attr|title|name/, chalk.bold],
];

/** The color of a piece of code: that of the innermost kind that has one. */
function painted(text: string, open: readonly string[]): string {
  for (const kind of open.toReversed()) for (const [kinds, paint] of colors) if (kinds.test(kind)) return paint(text);
  return text;
}
