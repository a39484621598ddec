import { cut } from '../cut.js';
import { oneLine } from './one-line.js';

/** Shorter than names may be, so that a mail remains readable. */
const NAME_CHARS_MAX = 100;

/** Half, invisible or reordering characters: a name must read as what it contains. Joiners stay, because Persian and emoji need them. */
const DECEPTIVE =
  /[\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Scripts that are written from right to left: Hebrew, Arabic and their neighbours. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** No language puts more marks on a letter; stacked ones would cover the lines above. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** Where mail clients recognise an address in plain text: after a scheme, and before the dot of a host name. */
const LINK_PARTS = /(?<=:)(?=\/\/)|(?<=[\p{L}\p{N}])(?=\.\p{L})/gu;
const ZERO_WIDTH_NON_JOINER = '\u200c';
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069'];

/**
 * Returns a text that a user chose, such as the name of a workspace, as a mail to somebody else may contain it: one line
 * of at most `charsMax` characters. Mail clients make no link of it, so that nobody can have Picket send their link. A text from
 * right to left leaves the order of the words around it alone.
 */
export function foreignText(text: string, charsMax = NAME_CHARS_MAX): string {
  const plain = oneLine(text.replace(DECEPTIVE, '').replace(STACKED_MARKS, '$1'));
  const name = cut(plain, charsMax).replace(LINK_PARTS, ZERO_WIDTH_NON_JOINER);
  return RIGHT_TO_LEFT.test(name) ? `${FIRST_STRONG_ISOLATE}${name}${POP_ISOLATE}` : name;
}
