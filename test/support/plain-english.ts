/** Wordings that are hard to read, each with what to write instead. */

/** `but` matches lines in which the wording is fine. */
export interface Wording {
  readonly not: RegExp;
  readonly but?: RegExp;
  readonly instead: string;
}

export const wordings: readonly Wording[] = [
  { not: /\b(is|are|was|were|be|has|have) none\b/i, instead: 'say what is missing: "has no id"' },
  {
    not: /\b(is|are|was|were|be) no (?!longer|more\b|need|different|later|less|other|reason|way|such|one\b)/i,
    but: /\bthere (is|are|was|were|would be|will be) no\b/i,
    instead: '"is not a …"',
  },
  {
    not: /\b(undefined|absent|only|nothing|null|empty|skipped|refused|fails?|throws? \S+|ignored|alone) where\b/i,
    instead: '"if" or "unless"',
  },
  { not: /\b(throws?|ends?|exits?|fails?|stops?) where\b/i, instead: '"if" or "unless"' },
  { not: /\b(?<!side )beside\b/i, instead: '"next to", "with", "compared with", "except"' },
  { not: /\b(what|that|which|it) stands\b(?! for)/i, instead: '"what is", "the content"' },
  { not: /\bdo(es)? without\b/i, instead: '"does not need"' },
  { not: /\b(of themselves|of itself)\b/i, instead: '"by itself"' },
  { not: /\bwhere (there (is|are|was)|nobody|nothing|none|no\b|not\b|absent)/i, instead: '"if" or "unless"' },
  { not: /\b(goes|go|went|stands?) before\b/i, instead: '"overrides", "comes first"' },
  { not: /\bso (many|often|much) (as|times|rows)?\b/i, instead: 'name the number' },
  { not: /(?<![.'"])\bmend(s|ed|ing)?\b/i, instead: '"fix"' },
  {
    not: /\b(whom|anew|nought|thereof|whither|wherein|hither)\b/i,
    instead: 'everyday words: "who", "again", "zero"',
  },
  { not: /\bsave for\b/i, instead: '"except"' },
  { not: /\bfor want of\b/i, instead: '"because there is no"' },
  { not: /\bwhat (is|are) [^.,;:]{1,40} (is|are) /i, instead: 'name the subject' },
  {
    not: /\b(is|are|was|were|be|being) told\b|\btells? of\b|\btold of\b/i,
    instead: '"report", "print", "show"',
  },
  { not: /\btitles? of columns?\b/i, instead: '"header row"' },
  { not: /\bmovement\b/i, instead: '"progress display"' },
  { not: /\ball of it\b/i, instead: '"everything"' },
  { not: /\bof (its|their|his|her) own\b/i, instead: '"its", "their", "a separate"' },
  { not: /\b(ends?|ended|ending) with (an? )?(\d|exit)/i, instead: '"exits with"' },
  { not: /\b(takes?|took|taken|taking) (something |it |them |things )?away\b/i, instead: '"deletes"' },
  { not: /\b(lay|laid|lays) out\b/i, instead: '"format"' },
  { not: /\bin the hands of\b/i, instead: '"is being sent by"' },
  {
    not: /\b(a|the|each|one|every|no) texts?\b(?! (file|node|field|editor|format|input|error|or JSON|stream|block|content|of a license))|\b(as|any) texts\b/i,
    instead: '"string"',
  },
  {
    not: /\bmembers?\b/i,
    but: /\b(team|workspace|organization|first|new|an?|their|its|your|all|the) members?\b.*\b(team|workspace|organization|role|token)|\bteam\b|\bmembers of (a|the) workspace|\bdtp ws members/i,
    instead: '"field"',
  },
  {
    // `.address()` is code.
    not: /(?<!\.)\baddress(es)?\b/i,
    but: /\b(IP|IPv[46]|loopback|e-?mail|MAC|memory|network|postal|listen|socket)\b.{0,20}\baddress|\baddress(es)? of (a|the) (user|person|team)/i,
    instead: '"URL" on the network, "path" on the disk',
  },
  { not: /(?<!\d min )\bbehind (it|them|the (?!proxy)|that|this|a (?!proxy|firewall))/i, instead: '"after"' },
  {
    not: /\b(an?|one|two|three|each|every|next|last|first) looks?\b(?! at| up| like)/i,
    instead: '"poll", "check", "attempt"',
  },
  { not: /\bthe way to (it|the service|a service)\b/i, instead: '"the network"' },
  {
    not: /\b(events?|batch(es)?)( that)? (is|are|was|were) kept\b|\bkept events?\b/i,
    instead: '"queued"',
  },
  { not: /\bsnippets?\b/i, but: /snippets\[|"snippets"|snippet_/, instead: '"code sample"' },
  { not: /\blinting reports?\b/i, instead: '"lint report"' },
  { not: /(?<![.'])\bstdin\b/i, but: /process\.stdin/, instead: '"standard input"' },
  {
    not: /\b(director(y|ies)|working folder)\b/i,
    but: /Directory (Spec|Transport)/,
    instead: '"folder", "current folder"',
  },
  {
    not: /\b(colour|behaviour|honour|favour|licence|grey|neighbour|catalogue|centre|organis|recognis|normalis|serialis|initialis|optimis|labell|modell)/i,
    instead: 'the American spelling',
  },
];

/** What a line breaks, and what to write instead. Text in backticks is code. */
export function plainFaults(text: string): readonly string[] {
  const words = text.replace(/`[^`]*`/g, '`…`');
  return wordings
    .filter(({ not, but }) => not.test(words) && !but?.test(words))
    .map(({ not, instead }) => `${not.exec(words)?.[0]} → ${instead}`);
}
