/** Runs many code samples of a language in one process. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileContent } from './expected-request.ts';
import { secrets } from './hard-operations.ts';

const run = promisify(execFile);

const answers = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

/** A Python that has the package of the samples. */
export const python = ['python3', '/usr/bin/python3'].find((one) => answers(one, '-c', 'import requests'));

/** From this version on, curl encodes a parameter of the query. */
const hasCurl = answers('curl', '--url-query', 'a=1', '--version');

/** Why samples in a language cannot run here. */
export const absences: Readonly<Record<string, string | undefined>> = {
  curl: hasCurl ? undefined : 'curl 7.87 or later is not installed',
  typescript: undefined,
  python: python ? undefined : 'Python with the requests package is not installed',
  go: answers('go', 'version') ? undefined : 'go is not installed',
  java: answers('javac', '--version') ? undefined : 'javac is not installed',
  ruby: answers('ruby', '--version') ? undefined : 'ruby is not installed',
};

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A folder with the file that samples read, and nothing from the user's settings. */
function prepare(folder: string): Place {
  writeFileSync(join(folder, 'FILE'), fileContent);
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\noutput=/dev/null\nmax-time=60\n');
  const { PATH, JAVA_HOME } = process.env;
  const own = {
    HOME: folder,
    CURL_HOME: folder,
    GOCACHE: join(folder, 'gocache'),
    GOPATH: join(folder, 'gopath'),
  };
  const go = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GO111MODULE: 'on' };
  return {
    folder,
    env: { PATH, ...(JAVA_HOME && { JAVA_HOME }), LANG: 'C.UTF-8', ...own, ...go, ...secrets },
  };
}

async function start({ folder, env }: Place, program: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd: folder, env, maxBuffer: 2 ** 28, encoding: 'utf8' } as const;
  const { stdout } = await run(program, args, options).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${program} failed: ${error.stderr.slice(0, 4000)}${error.stdout.slice(-2000)}`);
  });
  return stdout;
}

type Samples = readonly string[];

const each = (
  samples: Samples,
  place: Place,
  path: (index: number) => string,
  text: (code: string, index: number) => string,
) => {
  for (const [index, code] of samples.entries()) {
    const file = join(place.folder, path(index));
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text(code, index));
  }
};

const write = ({ folder }: Place, name: string, text: string) => writeFileSync(join(folder, name), text);

const runners: Readonly<Record<string, (place: Place, samples: Samples) => Promise<unknown>>> = {
  curl: (place, samples) => {
    write(
      place,
      'all.sh',
      samples.map((code, index) => `{\n${code}\n} || echo "sample ${index} failed" >&2\n`).join(''),
    );
    return start(place, 'sh', 'all.sh');
  },
  typescript: (place, samples) => {
    each(
      samples,
      place,
      (index) => `s${index}.mjs`,
      (code) => code,
    );
    // On Node 20, a failed import rejects and the others go on.
    write(
      place,
      'all.mjs',
      `
      for (let first = 0; first < ${samples.length}; first += 20)
        for (const one of await Promise.allSettled(Array.from({ length: 20 }, (_, n) => first + n)
          .filter((n) => n < ${samples.length}).map((n) => import('./s' + n + '.mjs'))))
          if (one.reason) console.error(one.reason);
    `,
    );
    return start(place, process.execPath, 'all.mjs');
  },
  python: (place, samples) => {
    write(place, 'all.json', JSON.stringify(samples));
    write(
      place,
      'all.py',
      [
        'import json, sys, traceback',
        'for index, code in enumerate(json.load(open("all.json"))):',
        '    try:',
        '        exec(compile(code.encode("utf-8"), "sample%d" % index, "exec"), {})',
        '    except Exception:',
        '        traceback.print_exc()',
      ].join('\n'),
    );
    return start(place, python ?? '', 'all.py');
  },
  ruby: (place, samples) => {
    each(
      samples,
      place,
      (index) => `s${index}.rb`,
      (code) => code,
    );
    write(
      place,
      'all.rb',
      [
        `${samples.length}.times do |index|`,
        '  begin',
        // Like a program: magic comments count.
        '    load "./s#{index}.rb", true',
        '  rescue Exception => error',
        '    warn error.full_message(highlight: false)',
        '  end',
        'end',
      ].join('\n'),
    );
    return start(place, 'ruby', 'all.rb');
  },
  go: async (place, samples) => {
    write(place, 'go.mod', 'module samples\n\ngo 1.18\n');
    each(
      samples,
      place,
      (index) => `s${index}.go`,
      (code, index) => `${code.replace('\nfunc main() {', `\nfunc sample${index}() {`)}\n`,
    );
    const formatted = await start(place, 'gofmt', '-l', '.');
    if (formatted !== '') throw new Error(`gofmt changes ${formatted.slice(0, 200)}`);
    const calls = samples.map((_, index) => `\tsample${index}()`).join('\n');
    write(place, 'all.go', `package main\n\nfunc main() {\n${calls}\n}\n`);
    await start(place, 'go', 'build', '-o', 'all', '.');
    return start(place, './all');
  },
  java: async (place, samples) => {
    each(
      samples,
      place,
      (index) => `s${index}/Main.java`,
      (code, index) => `package s${index};\n${code}`,
    );
    const calls = samples.map((_, index) => `"s${index}"`).join(', ');
    write(
      place,
      'All.java',
      `public class All {
      public static void main(String[] args) throws Exception {
        for (String name : new String[] {${calls}})
          try { Class.forName(name + ".Main").getMethod("main", String[].class).invoke(null, (Object) args); }
          catch (java.lang.reflect.InvocationTargetException error) { error.getCause().printStackTrace(); }
      }
    }`,
    );
    write(place, 'files', ['All.java', ...samples.map((_, index) => `s${index}/Main.java`)].join('\n'));
    await start(place, 'javac', '-J-Xmx2g', '-encoding', 'UTF-8', '-d', 'out', '@files');
    return start(place, 'java', '-Xmx1g', '-cp', 'out', 'All');
  },
};

/** Runs the samples in a folder. A sample that fails does not prevent the others. */
export async function runSamples(language: string, samples: Samples, folder: string): Promise<void> {
  await runners[language]?.(prepare(folder), samples);
}
