/** How long a rotated key goes on working unless the request says otherwise: a day. */
export const OVERLAP_SECONDS_DEFAULT = 86_400;
/** A week. */
export const OVERLAP_SECONDS_MAX = 604_800;
