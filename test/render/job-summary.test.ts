/** The summary of a CI job: nothing that somebody else wrote becomes Markdown, HTML, a row or a link. */
import { expect, test } from 'vitest';
import { summaryTable } from '../../src/render/job-summary.ts';
import { bareIn } from '../support/hostile.ts';
import { hostileMarkup, parsedSummary } from '../support/hostile-markup.ts';

test('a command, its result, an amount and a link', () => {
  const url = 'https://store.example.test/r?a=1&copy=2&b=(x)';
  const text = summaryTable('done', 'reports upload', { what: 'lint report lint.html', amount: '385 bytes', url });
  expect(text).toBe(`

| Command | Result | Amount | Link |
| --- | --- | --- | --- |
| ✔ dtp reports upload | \`lint report lint.html\` | \`385 bytes\` | [open](https://store.example.test/r?a=1&amp;copy=2&amp;b=%28x%29) |
`);
  expect(parsedSummary(text)).toMatchObject({
    others: [],
    links: ['https://store.example.test/r?a=1&copy=2&b=%28x%29'],
  });
});

test('only the first line of a string is shown, and at most 300 characters', () => {
  const rows = (what: string) => parsedSummary(summaryTable('failed', 'events post', { what })).rows;
  expect(rows('first\r\nsecond')).toEqual([['✘ dtp events post', '`first`', '', '']]);
  expect(rows('😀'.repeat(301))[0]?.[1]).toBe(`\`${'😀'.repeat(300)}…\``);
  expect(rows(' \n ')[0]?.[1]).toBe('');
});

test('300 hostile strings stay text', () => {
  expect(new Set(hostileMarkup).size).toBe(300);
  for (const text of hostileMarkup) {
    const table = summaryTable('allowed', 'artifacts push', { what: text, amount: text, url: text });
    const found = parsedSummary(`before${table}${table}`);
    expect([text, found.others, bareIn(table)]).toEqual([text, ['paragraph before', 'text before'], []]);
    expect(found.rows.map((row) => row.length)).toEqual([4, 4]);
    // Only a string that is a whole URL can be a link, and then it is the one that the service sent.
    for (const link of found.links) expect(link).toBe(new URL(text).href);
  }
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'local:/reports/1',
  'file:///etc/passwd',
  'https://github.com@evil.example/',
  `https://evil.example/${'a'.repeat(4000)}`,
  7,
  undefined,
])('%s is not a link', (url) => {
  expect(parsedSummary(summaryTable('done', 'reports upload', { what: 'x', url })).links).toEqual([]);
});

test.each(["a'b", 'a)b', 'a(b', 'a|b', 'a`b', 'a\\b', 'a b', 'a<b>', 'a[b]', 'a_b_*c*', 'a&lt;b', 'é', 'a%0Ab', '"x"'])(
  'a link to a URL with %s leads there',
  (part) => {
    for (const url of [`https://store.example.test/${part}`, `https://store.example.test/?q=${part}#${part}`]) {
      const { links, rows, others } = parsedSummary(summaryTable('done', 'reports upload', { what: 'x', url }));
      expect([rows.length, others]).toEqual([1, []]);
      const [link = ''] = links;
      expect([links.length, decodeURIComponent(link)]).toEqual([1, decodeURIComponent(new URL(url).href)]);
    }
  },
);
