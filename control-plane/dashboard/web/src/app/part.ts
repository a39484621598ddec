import type { AnyRoute } from '@tanstack/react-router';

/** The pages of one part of the product. A part is a folder in `parts/` and one entry in `app/parts.ts`. */
export interface Part {
  /** Its entry in the navigation; null without one. */
  nav: { label: string; to: string; icon: string; isExact: boolean } | null;
  /** Returns its routes below the frame. */
  routes(frame: AnyRoute): AnyRoute[];
}
