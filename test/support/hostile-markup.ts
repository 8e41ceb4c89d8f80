/** 300 strings that could act on the page or the log of a CI job, and what a Markdown parser finds in a summary. */
import { marked, type Token } from 'marked';
import { hostileText } from './hostile.ts';

/** Separated by two spaces or a line break. Markdown, links, HTML, then commands of runners and terminals. */
const payloads = String.raw`
  # head  > quote  - item  1. item  ---  ***  ===  ~~~  \  \|  \\|  |  ||  | a | b |  | --- | --- |  $$x$$  [^1]
  |\n| x | y | z | w |  **bold**  __bold__  ~~gone~~  [^1]: note  [x]: https://evil.example  - [ ] do
  https://evil.example  http://evil.example/a?b  www.evil.example  <https://evil.example>  <me@evil.example>  @octocat
  [x](https://evil.example)  [x][y]  [x](javascript:alert(1))  ![x](https://evil.example/x.png)  me@evil.example  #1
  @acme/team  acme/petstore#1  GH-1  a5c3785ed8d6a35868bc169f07e40e889087fd2e  ](https://evil.example)
  <b>x</b>  <script>alert(1)</script>  <img src=x onerror=alert(1)>  <!-- x  -->  <details><summary>x  <?php
  </td></tr></table>  <a href="https://evil.example">x</a>  &lt;b&gt;  &#96;  &#124;  <![CDATA[  EOF
  ::add-mask::x  ::set-output name=a::b  ::error title=x::y  ::stop-commands::x  ##[error]x  ##[add-mask]x
  ::set-env name=PATH::/evil  ::add-path::/evil  %0A::error::x  %0D%0A##[error]x  \n::error::x  \r::error::x
  PATH=/evil  A<<EOF\nx\nEOF\nB=1  ghadelimiter_x  \nNODE_OPTIONS=--require=/evil  \u001b[31mred  \r\u001b[0K
  \u001b[0Ksection_start:1:x\r\u001b[0K  \u202ecod\u202c  \u2028::error::x  \u0085::error::x  \u0000
`
  .trim()
  .split(/ {2,}|\n */)
  .map((text) => text.replace(/\\(n|r|u[\da-f]{4})/g, (sequence) => JSON.parse(`"${sequence}"`)))
  .concat('`', '``', '```sh', '` | `', '`|`\\`', 'a`b`c``d', '$`x`$', '    code', hostileText);

/** Alone, inside of a word, after the end of a line, and after what would end code and a cell. */
const wraps = [
  (one: string) => one,
  (one: string) => `a${one}b`,
  (one: string) => `x\n\n${one}\n`,
  (one: string) => `\` | ${one}`,
];

export const hostileMarkup: readonly string[] = payloads.flatMap((one) => wraps.map((wrap) => wrap(one))).slice(0, 300);

/** What is not plain text in a summary: the rows of tables as their cells, and every other kind of Markdown or HTML. */
export interface Found {
  readonly rows: readonly (readonly string[])[];
  readonly others: readonly string[];
  readonly links: readonly string[];
}

/** Parses a summary as GitHub does. */
export function parsedSummary(text: string): Found {
  const rows: string[][] = [];
  const [others, links]: [string[], string[]] = [[], []];
  const plain = ['space', 'table', 'codespan', 'link'];
  const visit = (token: Token) => {
    if (token.type === 'table')
      for (const row of token.rows) rows.push(row.map((cell: { readonly text: string }) => cell.text));
    if (token.type === 'link') links.push(token.href.replaceAll('&amp;', '&'));
    const isText = token.type === 'text' && /^(Command|Result|Amount|Link|open|[✔✘⚠] dtp [a-z -]+)$/.test(token.text);
    if (!isText && !plain.includes(token.type)) others.push(`${token.type} ${token.raw}`);
  };
  marked.walkTokens(marked.lexer(text, { gfm: true }), visit);
  return { rows, others, links };
}
