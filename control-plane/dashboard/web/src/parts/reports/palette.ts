import type { PalettePart } from '../../app/palette/kind.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [],
  actions: [{ label: texts.create, to: '/reports/new', search: {}, isFor: () => true }],
};
