/** Expressions of both languages that compute the same, without spaces. */
export const pairsOf = (list: string, rows: string): readonly (readonly [query: string, jq: string])[] => [
  [`sort(${list}[].n)`, `[${rows}[].n]|sort`],
  [`max_by(${list},&created_at).id`, `${rows}|max_by(.created_at).id`],
  [`min_by(${list},&n).id`, `${rows}|min_by(.n).id`],
  [`sort_by(${list},&created_at)[].id`, `${rows}|sort_by(.created_at)|map(.id)`],
  [`max(${list}[].name)`, `[${rows}[].name]|max`],
  [`${list}[?trace>\`5\`].id`, `[${rows}[]|select(.trace>5)|.id]`],
  [`${list}[?created_at>'2026-03-09T09:58:30Z'].id`, `[${rows}[]|select(.created_at>"2026-03-09T09:58:30Z")|.id]`],
  [`sum(${list}[].n)`, `[${rows}[].n]|add//0`],
];
