/** Something that the palette offers. */
export interface Entry {
  /** Unique among all. */
  id: string;
  label: string;
  /** What else finds it: words of another kind, or an address. */
  keywords: string;
}

const MARKS = /\p{Diacritic}/gu;

/**
 * Returns the entries that contain every word that was typed, at most `max`: the one with this label first, then those whose
 * label begins with the text, then those with a word of the label that begins with it, then the rest in their order. Pure.
 */
export function matching<One extends Entry>(entries: readonly One[], typed: string, max: number): One[] {
  const wanted = folded(typed);
  const words = wanted.split(/\s+/).filter((word) => word !== '');
  const found = entries.filter(({ label, keywords }) => {
    const text = folded(`${label} ${keywords}`);
    return words.every((word) => text.includes(word));
  });
  const ranked = found.map((entry, index) => ({ entry, index, rank: rankOf(folded(entry.label), wanted) }));
  return ranked
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, max)
    .map(({ entry }) => entry);
}

function rankOf(label: string, wanted: string): number {
  if (label === wanted) return 0;
  if (label.startsWith(wanted)) return 1;
  return label.split(/\s+/).some((word) => word.startsWith(wanted)) ? 2 : 3;
}

const folded = (text: string): string => text.normalize('NFD').replace(MARKS, '').toLowerCase().trim();
