import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { SettingError, type Settings } from '../../../kernel/settings.js';

const FEED = 'PICKET_VULNERABILITY_FEED';
const KEY = 'PICKET_VULNERABILITY_FEED_KEY';
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Where the feed of vulnerable plugins is: a file, or a URL with the bearer token that it needs. Secret. */
export type FeedSetting = { file: string } | { url: string; key: string | null };

/** Reads the setting; null: there is no feed. Throws SettingError. */
export function readFeedSetting(settings: Pick<Settings, 'optionalText'>): FeedSetting | null {
  const given = settings.optionalText(FEED);
  const key = settings.optionalText(KEY);
  if (given === null || !HAS_SCHEME.test(given)) {
    if (key !== null) throw new SettingError(KEY, `is set, but ${FEED} is no URL`);
    return given === null ? null : { file: resolve(given) };
  }
  // Not what was given: it may have a key in it.
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    throw new SettingError(FEED, 'must be the path of a file, or a URL that starts with https:// or http://');
  }
  if (key !== null && !/^[\x21-\x7e]{1,500}$/.test(key)) {
    throw new SettingError(KEY, 'must be at most 500 printable ASCII characters without spaces');
  }
  return { url: given, key };
}

/** Returns what the stored records are compared with, to notice another feed. */
export function settingHash(setting: FeedSetting): string {
  return createHash('sha256')
    .update('file' in setting ? `file ${setting.file}` : `url ${setting.url}`)
    .digest('hex');
}
