/**
 * What a person sees: each command on a real terminal, at four widths, with color, without color, and on a dumb terminal,
 * as recorded in test/screens. UPDATE=1 writes these files again.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ids } from '../support/screen-answers.ts';
import { plain } from '../support/screen-colors.ts';
import { screenCommands, screenFiles } from '../support/screen-commands.ts';
import { brokenValues, fixed, formatScreens, type Seen, tooWide, valuesOn } from '../support/screen-rules.ts';
import { type ScreenService, screenService, validKey } from '../support/screen-service.ts';
import { hasTmux, openScreens, type Screens } from '../support/screens.ts';

const widths = [40, 80, 120, 200];
const modes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  color: { TERM: 'xterm-256color' },
  NO_COLOR: { TERM: 'xterm-256color', NO_COLOR: '1' },
  'TERM=dumb': { TERM: 'dumb' },
};
const folder = resolve(import.meta.dirname, '../screens');
const isWriting = (process.env.UPDATE ?? '') !== '';

describe.skipIf(!hasTmux)('screens', () => {
  let service: ScreenService;
  let screens: Screens;
  beforeAll(async () => {
    service = await screenService();
    screens = await openScreens();
    mkdirSync(folder, { recursive: true });
  });
  afterAll(async () => {
    await screens.close();
    service.close();
  });

  test.each(Object.entries(screenCommands))('%s', async (name, { line, code = 0, env = {}, until }) => {
    const seen: Seen[] = [];
    for (const columns of widths)
      for (const [mode, ofMode] of Object.entries(modes)) {
        service.begin();
        const own = { DTP_BASE_URL: service.address, DTP_API_KEY: validKey, DTP_WORKSPACE_ID: ids.workspace };
        const variables = { ...own, ...env, ...ofMode };
        const screen = await screens.screenOf({ line, columns, env: variables, files: screenFiles, until });
        const text = fixed(screen.text, screens.folder);
        const at = `${columns} columns, ${mode}\n${text}`;
        expect(screen.code, at).toBe(code);
        expect(screen.isCursorVisible, at).toBe(true);
        if (mode !== 'color') expect(text, at).toBe(plain(text));
        expect(tooWide(text, columns), at).toEqual([]);
        seen.push({ columns, mode, text });
      }
    const values = seen.filter(({ columns }) => columns === 200).flatMap(({ text }) => valuesOn(text));
    for (const { columns, mode, text } of seen)
      expect(brokenValues(text, values), `${columns} columns, ${mode}\n${text}`).toEqual([]);
    const all = formatScreens(line, code, seen);
    const file = join(folder, `${name}.txt`);
    if (isWriting) writeFileSync(file, all);
    expect(all).toBe(readFileSync(file, 'utf8'));
  });

  test('every file is of a command', () => {
    const names = Object.keys(screenCommands).map((name) => `${name}.txt`);
    expect(readdirSync(folder).sort()).toEqual(names.sort());
  });
});
