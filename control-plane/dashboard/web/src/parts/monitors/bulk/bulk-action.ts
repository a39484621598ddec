/** What the bar offers for the selected monitors. */
export const BULK_ACTIONS = ['edit', 'tag', 'pause', 'resume', 'delete'] as const;

export type BulkAction = (typeof BULK_ACTIONS)[number];
