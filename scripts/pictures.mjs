/** Draws screens of test/screens as SVG: text that can be selected, in the reader's light or dark colors. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** The pictures in docs/pictures, with the screens on each. */
export const pictures = {
  'terminal.svg': ['artifacts-push', 'code-samples-preview', 'events-search'],
  'tail.svg': ['events-tail'],
  'failed-run.svg': ['run-failed'],
};

/** The width of the screens. Longer lines are broken, as by a terminal. */
const columns = 80;

/** In pixels. */
const [advance, height, margin, top] = [8.4, 20, 20, 44];

const style = `
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre; }
  .frame { fill: #f6f8fa; stroke: #d1d9e0; } .dot { fill: #d1d9e0; }
  .bold { font-weight: 600; } .dim { fill: #59636e; } .italic { font-style: italic; }
  .underlined { text-decoration: underline; }
  .red { fill: #d1242f; } .green { fill: #1a7f37; } .yellow { fill: #9a6700; } .blue { fill: #0969da; }
  .magenta { fill: #8250df; } .cyan { fill: #1b7c83; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .frame { fill: #0d1117; stroke: #3d444d; } .dot { fill: #3d444d; } .dim { fill: #9198a1; }
    .red { fill: #f85149; } .green { fill: #3fb950; } .yellow { fill: #d29922; } .blue { fill: #4493f8; }
    .magenta { fill: #ab7df8; } .cyan { fill: #39c5cf; }
  }
`;

/** Returns a picture as SVG. */
export function picture(name) {
  const lines = pictures[name].flatMap((screen, index) => [...(index === 0 ? [] : [[]]), ...screenOf(screen)]);
  const [width, tall] = [columns * advance + 2 * margin, top + lines.length * height + margin / 2];
  const dots = [0, 1, 2].map((at) => `<circle class="dot" cx="${margin + 4 + at * 18}" cy="18" r="6"/>`).join('');
  const title = `dtp in a terminal: ${pictures[name].map((screen) => commandOf(screen)).join('; ')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${tall}" width="${width}" height="${tall}" role="img">
<title>${escaped(title)}</title>
<style>${style}</style>
<rect class="frame" x="0.5" y="0.5" width="${width - 1}" height="${tall - 1}" rx="8"/>${dots}
${lines.map(textOf).join('\n')}
</svg>
`;
}

const commandOf = (screen) => sectionsOf(screen)[0].split('\n')[0].slice(2);

const sectionsOf = (screen) => readFileSync(join(root, `test/screens/${screen}.txt`), 'utf8').split('\n── ');

/** The lines of a screen in color below its command line. Each line is a list of pieces of text with their styles. */
function screenOf(screen) {
  const section = sectionsOf(screen)
    .slice(1)
    .find((one) => new RegExp(`(^|[ ,;])${columns}[^;:]* columns: [^;\\n]*\\bcolor\\b`).test(one.split('\n')[0]));
  const lines = section.trimEnd().split('\n').slice(1);
  return [[[`$ ${commandOf(screen)}`, 'bold']], ...lines.map(piecesOf)].flatMap(broken);
}

/** `‹bold red:✘› Run failed` → [['✘', 'bold red'], [' Run failed', '']] */
function piecesOf(line) {
  const parts = line.split(/‹([\w ]+):([^›]*)›/);
  return parts.flatMap((text, at) =>
    at % 3 === 0 ? (text === '' ? [] : [[text, '']]) : at % 3 === 1 ? [[parts[at + 1], text]] : [],
  );
}

/** Breaks a line where a terminal of this width does. */
function broken(pieces) {
  const lines = [[]];
  let left = columns;
  for (let [text, styles] of pieces)
    while (text !== '') {
      if (left === 0) {
        lines.push([]);
        left = columns;
      }
      const part = [...text].slice(0, left).join('');
      lines.at(-1).push([part, styles]);
      text = text.slice(part.length);
      left -= [...part].length;
    }
  return lines;
}

/** A line of text, whose columns fit whatever font the reader has. */
function textOf(pieces, index) {
  let at = 0;
  const spans = pieces.map(([text, styles]) => {
    const count = [...text].length;
    const x = (margin + at * advance).toFixed(1);
    at += count;
    const classes = styles === '' ? '' : ` class="${styles}"`;
    return `<tspan x="${x}" textLength="${(count * advance).toFixed(1)}"${classes}>${escaped(text)}</tspan>`;
  });
  return spans.length === 0
    ? ''
    : `<text xml:space="preserve" y="${top + (index + 0.7) * height}">${spans.join('')}</text>`;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
