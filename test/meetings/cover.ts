/** A covering array: few combinations that contain each pair of values of two dimensions. */

/** The values of each dimension. The first value of a dimension means: nothing special. */
export type Space = Readonly<Record<string, readonly string[]>>;
export type Choice = Readonly<Record<string, string>>;

/** Two values, each as `dimension=value`, in the order of the dimensions. */
type Pair = string;

const pairOf = (a: string, b: string): Pair => `${a}\0${b}`;

/**
 * Draws combinations until each pair of values has occurred. `next` returns undefined after the last one. A pair that is
 * `refused` is not drawn again, so that it hides no other pair.
 */
export function openCover(space: Space, random: () => number) {
  const names = Object.keys(space);
  const all = names.map((name) => (space[name] ?? []).map((value) => `${name}=${value}`));
  const open = new Set<Pair>();
  for (const [i, first] of all.entries())
    for (const second of all.slice(i + 1)) for (const a of first) for (const b of second) open.add(pairOf(a, b));
  const refused = new Set<Pair>();
  const between = (picked: readonly (string | undefined)[], at: number, value: string) =>
    picked.flatMap((other, i) =>
      other === undefined || i === at ? [] : [i < at ? pairOf(other, value) : pairOf(value, other)],
    );
  const pick = (picked: (string | undefined)[], at: number) => {
    let best: readonly string[] = [];
    let most = -1;
    for (const value of all[at] ?? []) {
      const pairs = between(picked, at, value);
      if (pairs.some((pair) => refused.has(pair))) continue;
      const gain = pairs.filter((pair) => open.has(pair)).length;
      if (gain > most) [best, most] = [[], gain];
      if (gain === most) best = [...best, value];
    }
    picked[at] = best[Math.floor(random() * best.length)];
  };
  return {
    size: () => open.size,
    refuse: (a: string, b: string) => {
      refused.add(pairOf(a, b));
      open.delete(pairOf(a, b));
    },
    next: (): Choice | undefined => {
      const [pair] = open;
      if (pair === undefined) return undefined;
      const picked: (string | undefined)[] = names.map((_, at) =>
        pair.split('\0').find((one) => all[at]?.includes(one)),
      );
      const rest = names.map((_, at) => at).filter((at) => picked[at] === undefined);
      while (rest.length > 0) pick(picked, rest.splice(Math.floor(random() * rest.length), 1)[0] as number);
      for (const [at, value] of picked.entries())
        if (value !== undefined) for (const one of between(picked, at, value)) open.delete(one);
      // If the others refuse every value of a dimension, it gets the first value, which means nothing special.
      return Object.fromEntries(
        names.map((name, at) => [name, picked[at]?.slice(name.length + 1) ?? space[name]?.[0] ?? '']),
      );
    },
  };
}
