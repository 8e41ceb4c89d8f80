/** Strings that a reader of YAML, CSV or TSV could take for another value, or not read at all. */

/** Without white space. */
const words = String.raw`
  ~ null Null NULL nil None = << < --- ... - ? : , ! # @ % & * | > ' " [ ] { } \ y Y n N yes Yes YES no No NO on On ON
  off Off OFF true True TRUE false False FALSE .inf .Inf .INF +.inf -.INF .nan .NaN .NAN -.nan inf nan NaN Infinity
  . ._ _ + -. +. .e1 ._1 1. -1. .5 -.5 ._5 0 -0 +0 00 07 08 0o7 0O7 0o 0o_7 -0o7 0x1f 0X1F 0x 0x_ -0x1f 0b1 0b 0b_
  -0b1 0b1_0 1_000 1__0 _1 1_ 1_000.5 1_000.5e+3 1e3 1e+3 1e-3 1E3 1.e3 1.0e+3 -1e3 +1.5E-3 .5e3 .5e+3 1e 1e+ 12e03
  1:20 -1:20 1:20:30 1:20.5 1:60 01:20 190:20:30.15 1_0:20 8080:80 1:20: :1 1,000 1.2.3 127.0.0.1 127.0.0.1:80
  2024-01-01 2024-1-1 2024-13-45 2024-01 20240101 2024-01-01T00 2024-01-01T00:00:00 2024-01-01T00:00:00Z
  2024-01-01t00:00:00z 2024-01-01T00:00:00. 2024-01-01T00:00:00+0530 2024-01-01T00:00:00-50 :a a: a#b &a *a !a |a >-
  @a 'a' "a" it's [] [a {} {a:b} a,b \n a\ \u0041 <<< == ?a -a !<x> __proto__ constructor =1+1 +1 -1 @SUM(A1)
`
  .trim()
  .split(/\s+/);

const spaced = [
  '',
  ' ',
  'a ',
  ' a',
  '--- a',
  '- a',
  '? a',
  'a: b',
  'a :b',
  'a #b',
  '!!str a',
  '%YAML 1.1',
  'a\tb',
  '\ta',
  'a\t',
  '2024-01-01 00:00:00',
  '2024-01-01 00:00:00.5 +02:00',
  '2024-1-1 1:00:00 -5',
  '2024-01-01  00:00:00  Z',
  '2024-01-01 - 2024-02-01',
];

const lines =
  '\n|\na|a\n|a\n\n| \n|\n |a\n b| a\nb|a\n---\nb|---\n|...\n|a\n...|a \nb|a\n\n\nb\n|a: b\nc|# a\nb|\r|\r\n|a\r\nb|a\rb|\t\n'.split(
    '|',
  );

/** Characters that a terminal, a parser or an encoding treats in a special way. */
const characters =
  '\u0000 \u0001 \b \v \f \u001b \u001c \u001e \u007f \u0080 \u0085 \u009f \u00a0 é \u200b \u200d \u2028 \u2029 \u202e \u3000 \ud800 \udc00 \ud83d \ude00\ud83d 😀 \ue000 \ufdd0 \ufeff \ufeffa a\ufeff \ufffd \ufffe \uffff a\uffffb \u{1fffe} \u{10ffff} a\u2028b a\u0085b'.split(
    ' ',
  );

/** A key of YAML must be shorter than 1,024 characters, unless it is marked. */
const long = ['x'.repeat(1100), `${'x'.repeat(1020)}é`, '\u0001'.repeat(200), `a${' '.repeat(1100)}b`, '-'.repeat(90)];

export const difficultStrings: readonly string[] = [...words, ...spaced, ...lines, ...characters, ...long];
