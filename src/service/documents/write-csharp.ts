/** Writes a call in C# with HttpClient, for .NET 7 or later. */
import type { SampleBody, SamplePart } from './sample-body.ts';
import type { SampleCall } from './sample-call.ts';
import { escapeLong, quoteWith, sampleJson } from './sample-text.ts';
import { headersBesideForm, joinLines, joinText, joinUrl, type Strings, type Write } from './writer.ts';

const quote = quoteWith(escapeLong);

/** Writes a raw string, which has no escapes. Its delimiter is longer than any row of quotation marks in the string. */
function block(text: string): string {
  if (!text.includes('\n')) return quote(text);
  const marks = Math.max(3, ...(text.match(/"+/g) ?? []).map((found) => found.length + 1));
  const fence = '"'.repeat(marks);
  return `${fence}\n${text}\n${fence}`;
}

const strings: Strings = {
  quote,
  variable: (name) => `Environment.GetEnvironmentVariable(${quote(name)})`,
  encoded: (name) => `Uri.EscapeDataString(Environment.GetEnvironmentVariable(${quote(name)}) ?? "")`,
};

const fileContent = (name: string): string => `new StreamContent(File.OpenRead(${quote(name)}))`;

const partLine = ({ name, value, isFile }: SamplePart): string =>
  isFile
    ? `form.Add(${fileContent(value)}, ${quote(name)}, ${quote(value)});`
    : `form.Add(new StringContent(${quote(value)}), ${quote(name)});`;

function bodyLines(body: SampleBody): readonly string[] {
  if ('parts' in body)
    return ['var form = new MultipartFormDataContent();', ...body.parts.map(partLine), 'request.Content = form;'];
  if ('file' in body) return [`request.Content = ${fileContent(body.file)};`];
  const text = 'json' in body ? block(sampleJson(body.json)) : quote(body.text);
  return [`request.Content = new StringContent(${text});`];
}

/** .NET accepts these headers only on the content of a request, not on the request itself. */
const isOfContent = (name: string): boolean => /^(allow|expires|last-modified|content-.+)$/i.test(name);

function headerLines(call: SampleCall): readonly string[] {
  const ofContent = headersBesideForm(call).filter(([name]) => isOfContent(name));
  const empty = ofContent.length > 0 && !call.body ? ['request.Content = new ByteArrayContent(new byte[0]);'] : [];
  const all = headersBesideForm(call).flatMap(([name, value]) => {
    const holder = isOfContent(name) ? 'request.Content.Headers' : 'request.Headers';
    const add = `${holder}.TryAddWithoutValidation(${quote(name)}, ${joinText(value, strings)});`;
    // StringContent sets a content type by itself, so the code removes that first.
    return name.toLowerCase() === 'content-type' ? [`${holder}.Remove("Content-Type");`, add] : [add];
  });
  const pair = call.basic?.map(strings.variable).join(' + ":" + ');
  const login =
    pair === undefined
      ? []
      : [
          `var login = Convert.ToBase64String(Encoding.UTF8.GetBytes(${pair}));`,
          'request.Headers.TryAddWithoutValidation("Authorization", "Basic " + login);',
        ];
  return [...empty, ...all, ...login];
}

export const csharp: Write = (call) => {
  const { method, body, basic } = call;
  return joinLines(
    'using System;',
    body && ('file' in body || 'parts' in body) && 'using System.IO;',
    'using System.Net.Http;',
    basic && 'using System.Text;',
    '',
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${quote(method)}), ${joinUrl(call, strings)});`,
    body && bodyLines(body),
    headerLines(call),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine(await response.Content.ReadAsStringAsync());',
    'response.EnsureSuccessStatusCode();',
  );
};
