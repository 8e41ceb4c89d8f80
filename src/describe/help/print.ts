/** Formats a help page with the width of a stream, and with color if the stream supports it. */
import type { Context, StreamInfo } from '../../context.ts';
import { colorOf } from '../../output/color.ts';
import type { Globals } from '../../settings/global-flags.ts';
import type { HelpPage } from '../page.ts';
import { helpTextOf } from './text.ts';

/** The minimum and maximum width. A narrower terminal breaks lines itself, and longer lines are hard to read. */
const [NARROW, WIDE] = [20, 120];

export async function shownHelp(
  context: Pick<Context, 'env' | 'agent'>,
  globals: Globals,
  stream: StreamInfo,
  page: HelpPage,
) {
  const width = Math.min(Math.max(stream.columns || 80, NARROW), WIDE);
  const hasColor = colorOf(context, globals, stream.isTTY === true);
  return helpTextOf(page, { width, heading: hasColor ? await boldly() : (text) => text });
}

async function boldly(): Promise<(text: string) => string> {
  const { Chalk } = await import('chalk');
  return new Chalk({ level: 1 }).bold;
}
