/** Lists the possible values of all flags and arguments for the scripts, and merges those with the same values. */
import type { CompletionPage, Slot } from './tree.ts';

/** Where values apply: the command `path`, and its flag or argument `what`. Without a `path`, in every command. */
interface Place {
  readonly path: string | undefined;
  readonly what: string;
}

/** Groups the places with the same values. `what` is a flag's name, an argument's number (from 1), or `rest`. */
export function placesOf(pages: readonly CompletionPage[]) {
  const groups = new Map<string, { at: Place[]; slot: Slot }>();
  for (const { path, what, slot } of [...flagPlaces(pages), ...argumentPlaces(pages)]) {
    // `none` has no known values. The scripts complete commands in a different way.
    if (slot.kind === 'none' || slot.kind === 'command') continue;
    const key = JSON.stringify(slot);
    const group = groups.get(key) ?? { at: [], slot };
    groups.set(key, group);
    group.at.push({ path, what });
  }
  return [...groups.values()];
}

function flagPlaces(pages: readonly CompletionPage[]) {
  const all = pages.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, slot }) => names.map((what) => ({ path, what, slot }))),
  );
  const places = [...new Set(all.map(({ what }) => what))].flatMap(
    (name): readonly (Place & { readonly slot: Slot })[] => {
      const same = all.filter(({ what }) => what === name);
      const [first] = same;
      const isOne = same.every((one) => JSON.stringify(one.slot) === JSON.stringify(first?.slot));
      // A global flag is valid in every command, except in one that has its own flag with this name.
      return first && isOne
        ? [{ ...first, path: undefined }]
        : same.map((one) => ({ ...one, path: one.path || undefined }));
    },
  );
  // The scripts use the first match.
  return [...places.filter(({ path }) => path), ...places.filter(({ path }) => !path)];
}

const argumentPlaces = (pages: readonly CompletionPage[]) =>
  pages.flatMap(({ path, args }) =>
    args.map(({ slot, many }, index) => ({ path, what: many ? 'rest' : String(index + 1), slot })),
  );
