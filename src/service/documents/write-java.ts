/** Writes a call in Java with the HTTP client of the standard library. */
import { BOUNDARY, bodySegmentsOf, type SampleBody } from './sample-body.ts';
import type { SampleCall } from './sample-call.ts';
import { escapeUnits, quoteWith, sampleJson } from './sample-text.ts';
import { headersBesideForm, indent, joinLines, joinText, joinUrl, type Strings, type Write } from './writer.ts';

const quoteOne = quoteWith(escapeUnits);

/** The maximum length of a string constant in samples. In Java, a constant has at most 65,535 bytes. */
const CHUNK = 10_000;

function quote(text: string): string {
  if (text.length <= CHUNK) return quoteOne(text);
  const chunks = Array.from(text.match(new RegExp(`.{1,${CHUNK}}`, 'gsu')) ?? [], quoteOne);
  return `String.join("", ${chunks.join(', ')})`;
}

/** Writes a text block. Its closing quotes follow the last line directly, so it does not end with a line break. */
const block = (text: string): string =>
  text.includes('\n') && text.length <= CHUNK
    ? `"""\n${text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""')}"""`
    : quote(text);

const strings: Strings = {
  quote,
  variable: (name) => `System.getenv(${quote(name)})`,
  encoded: (name) => `URLEncoder.encode(System.getenv(${quote(name)}), StandardCharsets.UTF_8)`,
};

const publisher = (method: string, value = ''): string => `HttpRequest.BodyPublishers.${method}(${value})`;

function publisherOf(body: SampleBody | undefined): string {
  if (!body) return publisher('noBody');
  if ('json' in body) return publisher('ofString', block(sampleJson(body.json)));
  if ('text' in body) return publisher('ofString', quote(body.text));
  if ('file' in body) return publisher('ofFile', `Path.of(${quote(body.file)})`);
  return publisher('ofByteArray', 'body.toByteArray()');
}

function formLines(body: SampleBody): readonly string[] {
  if (!('parts' in body)) return [];
  const writes = bodySegmentsOf(body.parts).map((segment) =>
    typeof segment === 'string'
      ? `body.write(${quote(segment)}.getBytes(StandardCharsets.UTF_8));`
      : `body.write(Files.readAllBytes(Path.of(${quote(segment.file)})));`,
  );
  return ['ByteArrayOutputStream body = new ByteArrayOutputStream();', ...writes];
}

const CLASSES = [
  'java.io.ByteArrayOutputStream',
  'java.net.URI',
  'java.net.URLEncoder',
  'java.net.http.HttpClient',
  'java.net.http.HttpRequest',
  'java.net.http.HttpResponse',
  'java.nio.charset.StandardCharsets',
  'java.nio.file.Files',
  'java.nio.file.Path',
  'java.util.Base64',
];

function importsOf(code: string): readonly string[] {
  // A class name in a string does not count as a use.
  const bare = code.replace(/"""\n(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\])*"/gs, '""');
  const used = CLASSES.filter((name) => new RegExp(`\\b${name.split('.').at(-1)}\\b`).test(bare));
  return used.map((name) => `import ${name};`);
}

function headerLines(call: SampleCall): readonly string[] {
  const { basic, body } = call;
  const all = headersBesideForm(call).map(([name, value]) => `.header(${quote(name)}, ${joinText(value, strings)})`);
  const type =
    body && 'parts' in body ? [`.header("Content-Type", ${quote(`${body.type}; boundary=${BOUNDARY}`)})`] : [];
  const pair = basic?.map(strings.variable).join(' + ":" + ');
  const login =
    pair === undefined
      ? []
      : [
          '.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(',
          `    (${pair}).getBytes(StandardCharsets.UTF_8)))`,
        ];
  return [...all, ...type, ...login].map((line) => `    ${line}`);
}

export const java: Write = (call) => {
  const { method, body } = call;
  const code = joinLines(
    body && formLines(body),
    `HttpRequest request = HttpRequest.newBuilder(URI.create(${joinUrl(call, strings)}))`,
    indent(`.method(${quote(method)}, ${publisherOf(body)})`, '    '),
    headerLines(call),
    '    .build();',
    'HttpResponse<String> response = HttpClient.newHttpClient()',
    '    .send(request, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(response.statusCode());',
    'System.out.println(response.body());',
  );
  return joinLines(
    importsOf(code),
    '',
    'public class Main {',
    '    public static void main(String[] args) throws Exception {',
    indent(code, '        '),
    '    }',
    '}',
  );
};
