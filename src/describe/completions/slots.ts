/** The possible values at each place of all pages, with equal places merged. The scripts look them up. */
import type { Page, Slot } from './tree.ts';

export interface Places {
  /** The command is undefined for a flag that is the same everywhere. */
  readonly at: readonly { readonly path: string | undefined; readonly what: string }[];
  readonly slot: Slot;
}

/** Flags by each of their names, arguments by their number from 1, or `rest` for all further arguments. */
export function placesOf(pages: readonly Page[]): readonly Places[] {
  const groups = new Map<string, { at: { path: string | undefined; what: string }[]; slot: Slot }>();
  for (const { path, what, slot } of [...flagPlaces(pages), ...argumentPlaces(pages)]) {
    // There are no known values, or the script handles the commands itself.
    if (slot.kind === 'none' || slot.kind === 'command') continue;
    const key = JSON.stringify(slot);
    const group = groups.get(key) ?? { at: [], slot };
    groups.set(key, group);
    group.at.push({ path, what });
  }
  return [...groups.values()];
}

interface Place {
  readonly path: string | undefined;
  readonly what: string;
  readonly slot: Slot;
}

function flagPlaces(pages: readonly Page[]): readonly Place[] {
  const all: readonly Place[] = pages.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, slot }) => names.map((what) => ({ path, what, slot }))),
  );
  return [...new Set(all.map(({ what }) => what))].flatMap((name) => {
    const same = all.filter(({ what }) => what === name);
    const [first] = same;
    const isOne = same.every((one) => JSON.stringify(one.slot) === JSON.stringify(first?.slot));
    return first && isOne ? [{ ...first, path: undefined }] : same;
  });
}

const argumentPlaces = (pages: readonly Page[]): readonly Place[] =>
  pages.flatMap(({ path, args }) =>
    args.map(({ slot, many }, index) => ({ path, what: many ? 'rest' : String(index + 1), slot })),
  );
