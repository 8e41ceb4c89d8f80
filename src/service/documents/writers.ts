/** Lists the writer of each language. */
import type { Language } from './languages.ts';
import { csharp } from './write-csharp.ts';
import { curl } from './write-curl.ts';
import { go } from './write-go.ts';
import { java } from './write-java.ts';
import { python } from './write-python.ts';
import { ruby } from './write-ruby.ts';
import { swift } from './write-swift.ts';
import { typescript } from './write-typescript.ts';
import type { Write } from './writer.ts';

interface Writer {
  readonly write: Write;
  readonly comment: '//' | '#';
}

export const writers: Readonly<Record<Language, Writer>> = {
  curl: { write: curl, comment: '#' },
  typescript: { write: typescript, comment: '//' },
  python: { write: python, comment: '#' },
  go: { write: go, comment: '//' },
  java: { write: java, comment: '//' },
  csharp: { write: csharp, comment: '//' },
  ruby: { write: ruby, comment: '#' },
  swift: { write: swift, comment: '//' },
};
