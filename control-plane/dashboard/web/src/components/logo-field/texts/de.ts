import type { en } from './en.ts';

export const de: typeof en = {
  label: 'Logo',
  help: 'Ein PNG oder JPEG mit höchstens 256 KiB und 2.000.000 Pixeln.',
  tooLarge: 'Die Datei ist größer als 256 KiB. Wählen Sie eine kleinere.',
  unreadable: 'Der Browser kann diese Datei nicht lesen. Wählen Sie eine andere.',
  chosen: 'Das gewählte Logo',
  present: 'Das vorhandene Logo',
  remove: 'Logo entfernen',
};
