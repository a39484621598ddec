import { printable } from '../../printable.js';

/** In this order: a browser also names those that it wants to be taken for. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS|e)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bChromium\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPod\b/, 'iOS'],
  [/\biPad\b/, 'iPadOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const PROGRAM_CHARS_MAX = 40;

/**
 * Returns what a person recognizes as their device: `Chrome on Windows`. Of a program that is no browser it returns the
 * name before its version, such as `curl`. Versions are left out, so that an update is not a new device.
 */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown device';
  const browser = nameOf(BROWSERS, userAgent) ?? programOf(userAgent);
  const system = nameOf(SYSTEMS, userAgent);
  return system === null ? browser : `${browser} on ${system}`;
}

function nameOf(patterns: typeof BROWSERS, userAgent: string): string | null {
  return patterns.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}

/** `curl/8.5.0` is a program; `Mozilla/5.0 …` is what every browser begins with. */
function programOf(userAgent: string): string {
  const name = userAgent.split(/[/\s(]/, 1)[0] ?? '';
  return name === '' || name === 'Mozilla' ? 'Unknown browser' : printable(name, PROGRAM_CHARS_MAX);
}
