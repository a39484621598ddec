import { inLanguage } from './catalogue.ts';

/** As the API writes what a person logged in with: `Chrome on Windows`. */
const ON_SYSTEM = /^(.+) on ([^ ]+)$/;

interface DeviceWords {
  unknownBrowser: string;
  unknownDevice: string;
  on(browser: string, system: string): string;
}

const words = inLanguage<DeviceWords>({
  en: {
    unknownBrowser: 'Unknown browser',
    unknownDevice: 'Unknown device',
    on: (browser, system) => `${browser} on ${system}`,
  },
  de: {
    unknownBrowser: 'Unbekannter Browser',
    unknownDevice: 'Unbekanntes Gerät',
    on: (browser, system) => `${browser} unter ${system}`,
  },
});

/** Returns what a person logged in with, in their language: `Unbekannter Browser unter Linux`. Pure. */
export function deviceText(device: string): string {
  const [, browser = device, system] = ON_SYSTEM.exec(device) ?? [];
  const known = { 'Unknown browser': words.unknownBrowser, 'Unknown device': words.unknownDevice }[browser] ?? browser;
  return system === undefined ? known : words.on(known, system);
}
