const MIB = 1_048_576;

/** The whole feed. Wordfence's had 123 MB in 2026. */
export const FEED_BYTES_MAX = 512 * MIB;
/** One record; all that is in memory of a feed at a time, with the batch that is being stored. */
export const RECORD_BYTES_MAX = MIB;
/** Records of the whole feed. */
export const RECORDS_MAX = 1_000_000;
/** A slice of what arrives, so that an oversized record is noticed before much of it is in memory. */
export const SLICE_BYTES = 65_536;
/** Of records that cannot be attributed to a plugin, in percent. With more, the format is another one. */
export const UNREADABLE_PERCENT_MAX = 1;
/** An older feed says nothing of what was found since. */
export const FEED_VALID_MS = 7 * 24 * 3_600_000;
export const REFRESH_PERIOD_MS = 24 * 3_600_000;
/** Wordfence allows one download in 30 minutes. */
export const RETRY_MS = 3_600_000;
/** The download of the whole feed. */
export const DOWNLOAD_TIMEOUT_MS = 30 * 60_000;
/**
 * A site whose plugins change is compared once in this time on average: a comparison reads up to some thousand records, and a site
 * can report other plugins with each message.
 */
export const COMPARE_PERIOD_MS = 60_000;
/** Comparisons that may follow one another at once: whoever has updated a plugin looks whether that was enough. */
export const COMPARISONS_AT_ONCE = 5;
/** What a site reports. */
export const PLUGINS_MAX = 500;
/** What is stored and shown of a site. */
export const FOUND_MAX = 50;
/** Of the records that a refresh stores at a time. */
export const BATCH_RECORDS = 100;
/** A feed with fewer records than half of the previous one is half a feed, if the previous one had this many. */
export const SHRINKING_RECORDS_MIN = 1_000;

export const SLUG_CHARS_MAX = 200;
export const TITLE_CHARS_MAX = 300;
export const VERSION_CHARS_MAX = 50;
export const NOTICE_CHARS_MAX = 1_000;
export const URL_CHARS_MAX = 500;
export const RANGES_MAX = 100;
