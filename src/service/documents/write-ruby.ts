/** Writes a call in Ruby with the standard library. */
import type { SampleBody, SamplePart } from './sample-body.ts';
import { escapeBraces, quoteWith, sampleJson } from './sample-text.ts';
import { headersBesideForm, indent, joinLines, joinText, joinUrl, type Strings, type Write } from './writer.ts';

const quoteOne = quoteWith(escapeBraces);

/** Quotes a string. Ruby would run the code in `#{}` and insert the variable after `#$` or `#@`. */
const quote = (text: string): string => quoteOne(text).replace(/#(?=[{$@])/g, '\\#');

const strings: Strings = {
  quote,
  variable: (name) => `ENV.fetch(${quote(name)})`,
  encoded: (name) => `URI.encode_www_form_component(ENV.fetch(${quote(name)}))`,
};

const partText = ({ name, value, isFile }: SamplePart): string =>
  `[${quote(name)}, ${isFile ? `File.open(${quote(value)})` : quote(value)}]`;

/** Writes a string of several lines as a heredoc, which has no escapes if its delimiter is quoted. */
const jsonLines = (text: string): readonly string[] =>
  text.includes('\n') ? ["request.body = <<~'JSON'", indent(text, '  '), 'JSON'] : [`request.body = ${quote(text)}`];

function bodyLines(body: SampleBody): readonly string[] {
  if ('json' in body) return jsonLines(sampleJson(body.json));
  if ('file' in body) return [`request.body = File.binread(${quote(body.file)})`];
  if ('text' in body) return [`request.body = ${quote(body.text)}`];
  return [`request.set_form([${body.parts.map(partText).join(', ')}], ${quote(body.type)})`];
}

const className = (method: string): string => `${method.charAt(0)}${method.slice(1).toLowerCase()}`;

export const ruby: Write = (call) => {
  const { method, basic, body } = call;
  return joinLines(
    'require "net/http"',
    '',
    `uri = URI(${joinUrl(call, strings)})`,
    `request = Net::HTTP::${className(method)}.new(uri)`,
    headersBesideForm(call).map(([name, value]) => `request[${quote(name)}] = ${joinText(value, strings)}`),
    basic && `request.basic_auth(${basic.map(strings.variable).join(', ')})`,
    body && bodyLines(body),
    'response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https") do |http|',
    '  http.request(request)',
    'end',
    'puts response.code, response.body',
  );
};
