/** Strings that would run code or load something in a page that shows them as HTML, by families. */
import { hostileCharacters, hostileText } from './hostile.ts';

/** Runs code that the browser of the tests reports, because it defines `hit` in every frame. */
const CODE = 'hit(1)';

const elements = `
  <script>hit(1)</script>
  <ScRiPt/x>hit(1)</sCrIpT>
  <script src=/canary.js></script>
  <script type=module>import '/canary.js'</script>
  <img src=x onerror=hit(1)>
  <img srcset="/canary.png 1x" src=/canary.png onload=hit(1)>
  <svg onload=hit(1)>
  <svg><script>hit(1)</script></svg>
  <svg><animate onbegin=hit(1) attributeName=x dur=1s></svg>
  <svg><a xlink:href="javascript:hit(1)"><text>x</text></a></svg>
  <svg><use href="/canary.svg#x"/></svg>
  <math><mtext><img src=x onerror=hit(1)></mtext></math>
  <body onload=hit(1) onpageshow=hit(1)>
  <iframe srcdoc="<script>hit(1)</script>"></iframe>
  <iframe src="javascript:hit(1)"></iframe>
  <iframe src=/canary></iframe>
  <object data="javascript:hit(1)"></object>
  <embed src="/canary.swf">
  <details open ontoggle=hit(1)><summary>x
  <video src=x onerror=hit(1)></video>
  <audio src=/canary.mp3 autoplay></audio>
  <video poster=/canary.png></video>
  <input autofocus onfocus=hit(1)>
  <select autofocus onfocus=hit(1)></select>
  <marquee onstart=hit(1)>x</marquee>
  <div style="animation:x 1s" onanimationstart=hit(1)>
  <meta http-equiv=refresh content="0;url=/canary">
  <base href="http://127.0.0.1:1/">
  <link rel=stylesheet href=/canary.css>
  <link rel=prefetch href=/canary>
  <style>@import '/canary.css';*{background:url(/canary.png)!important}</style>
  <form action=/canary><button formaction="javascript:hit(1)">x</button></form>
  <a href="javascript:hit(1)" ping=/canary>x</a>
  <template><script>hit(1)</script></template>
  <noscript><p title="</noscript><img src=x onerror=hit(1)>">
  <table background=/canary.png><td>x
  <x onclick=hit(1) tabindex=1>x
  <plaintext>
`
  .trim()
  .split(/\n */);

/** What could end the element, the attribute, the comment or the script around a string. */
const ends = ['', '">', "'>", '</pre>', '</title></textarea>', '</td></tr></table>', '--> ]]>', 'a\n'];

const attributes = [`" onmouseover="${CODE}`, `' onfocus='${CODE}`, `\` onclick=${CODE} x=\``].flatMap((one) => [
  one,
  `x${one} autofocus tabindex=1 style="position:fixed;inset:0"`,
]);

const urls = [
  ...['javascript:', 'JaVaScRiPt:', 'java\tscript:', '\u0001javascript:', ' javascript:', 'javascript://%0a'].map(
    (scheme) => scheme + CODE,
  ),
  ...[`data:text/html,<script>${CODE}</script>`, `vbscript:${CODE}`, 'blob:x', 'view-source:/canary'],
  ...['//127.0.0.1:1/canary', 'http://127.0.0.1:1/canary', '\\\\127.0.0.1:1\\canary', 'file:///etc/passwd'],
];

const styles = [`x:expression(${CODE})`, ';background:url(/canary.png)', '}*{display:none}', '@import "/canary.css";'];

const templates = ['{{', '${', '<%=', '#{', '[[', '{%', '@(', '*{'].map(
  (open) => `${open} constructor.constructor('${CODE}')() ${{ '<%=': '%>', '[[': ']]', '{{': '}}' }[open] ?? '}'}`,
);

const entities = [
  ...['&lt;script&gt;hit(1)&lt;/script&gt;', '&#60;script&#62;hit(1)', '&#x3c;img src=x onerror=hit(1)&#x3e;'],
  ...['&amp;lt;', '&', '&&', '&amp', '&lt', '&quot; onx=1', '&NotAnEntity;', '&#0;', '&#xD800;', '&#x110000;', '&#;'],
];

/** A server-sent event, a header, and other lines that the string could add. */
const lines = [
  ...['\r\n\r\nevent: view\r\ndata: <script>hit(1)</script>\r\n\r\n', '\ndata: x\n\n', '\rretry: 1\r', 'x\r\ny'],
  ...['\r\nset-cookie: a=b', '\nid: 1\n', '\u2028hit(1)\u2029', '\0<script>hit(1)</script>', '\ufeff<b>'],
];

const paths = [
  ...['.', '..', '...', '../../canary', '%2e%2e', '%2F..%2Fcanary', '%', '%zz', '%00', '%ff', '/', '//canary'],
  ...['?x=1', '#x', ';x', ':x', '__proto__', 'constructor', 'toString', 'hasOwnProperty', ' ', '\t'],
];

const long = [
  'x'.repeat(9000),
  '<b>'.repeat(3000),
  '\u0300'.repeat(3000),
  '\u{1f468}\u200d'.repeat(1000),
  'ab '.repeat(3000),
];

export const hostileHtml: readonly string[] = [
  ...new Set([
    ...ends.flatMap((end) => elements.map((element) => end + element)),
    ...[...attributes, ...urls, ...styles, ...templates, ...entities, ...lines, ...paths, ...long, hostileText],
    ...hostileCharacters.map((char) => `a${char}b<i>`),
  ]),
];

/** The string as the page must show it: hidden characters as escapes, and each line break as one character. */
export const shownAs = (text: string): string =>
  [...text.replaceAll('\r\n', '\n')]
    .map((char) =>
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(char) && char !== '\n' && char !== '\t'
        ? `\\u{${char.codePointAt(0)?.toString(16)}}`
        : char,
    )
    .join('');
