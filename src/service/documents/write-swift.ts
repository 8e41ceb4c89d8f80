/** Writes a call in Swift with URLSession. */
import { BOUNDARY, bodySegmentsOf, type SampleBody } from './sample-body.ts';
import type { SampleCall } from './sample-call.ts';
import { escapeBraces, quoteWith, sampleJson } from './sample-text.ts';
import { headersBesideForm, joinLines, joinText, joinUrl, type Strings, type Write } from './writer.ts';

const quote = quoteWith(escapeBraces);

/** Writes a string of several lines. The line break before the closing quotes is not part of the string. */
const block = (text: string): string =>
  text.includes('\n') ? `"""\n${text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""')}\n"""` : quote(text);

const environment = (name: string): string => `environment[${quote(name)}]!`;

const strings: Strings = {
  quote,
  variable: environment,
  encoded: (name) => `${environment(name)}.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!`,
};

const data = (literal: string): string => `Data(${literal}.utf8)`;

const fileData = (name: string): string => `try Data(contentsOf: URL(fileURLWithPath: ${quote(name)}))`;

function bodyLines(body: SampleBody): readonly string[] {
  if ('parts' in body)
    return [
      'var body = Data()',
      ...bodySegmentsOf(body.parts).map((segment) =>
        typeof segment === 'string' ? `body.append(${data(quote(segment))})` : `body.append(${fileData(segment.file)})`,
      ),
      'request.httpBody = body',
    ];
  if ('file' in body) return [`request.httpBody = ${fileData(body.file)}`];
  if ('json' in body) return [`request.httpBody = ${data(block(sampleJson(body.json)))}`];
  return [`request.httpBody = ${data(quote(body.text))}`];
}

const setHeader = (name: string, value: string): string =>
  `request.setValue(${value}, forHTTPHeaderField: ${quote(name)})`;

function headerLines(call: SampleCall): readonly string[] {
  const { basic, body } = call;
  const all = headersBesideForm(call).map(([name, value]) => setHeader(name, joinText(value, strings)));
  const type = body && 'parts' in body ? [setHeader('Content-Type', quote(`${body.type}; boundary=${BOUNDARY}`))] : [];
  const pair = basic?.map(environment).join(' + ":" + ');
  const login =
    pair === undefined
      ? []
      : [`let login = Data((${pair}).utf8).base64EncodedString()`, setHeader('Authorization', '"Basic " + login')];
  return [...all, ...type, ...login];
}

export const swift: Write = (call) => {
  const { method, body } = call;
  const code = joinLines(
    `var request = URLRequest(url: URL(string: ${joinUrl(call, strings)})!)`,
    `request.httpMethod = ${quote(method)}`,
    headerLines(call),
    body && method === 'GET' && '// URLSession refuses the body of a GET request. Other clients send it.',
    body && bodyLines(body),
  );
  return joinLines(
    'import Foundation',
    '',
    code.includes('environment[') && 'let environment = ProcessInfo.processInfo.environment',
    code,
    'let (data, response) = try await URLSession.shared.data(for: request)',
    'print((response as! HTTPURLResponse).statusCode)',
    'print(String(decoding: data, as: UTF8.self))',
  );
};
