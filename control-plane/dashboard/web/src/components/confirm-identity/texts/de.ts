import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Bestätigen Sie, dass Sie es sind',
  lead: 'Das schützt Ihr Konto vor jemandem an Ihrem entsperrten Gerät. Die Bestätigung gilt zehn Minuten.',
  labels: { password: 'Passwort', totp: 'Code der Authenticator-App', recovery_code: 'Wiederherstellungscode' },
  instead: {
    password: 'Passwort verwenden',
    totp: 'Authenticator-App verwenden',
    passkey: 'Passkey verwenden',
    recovery_code: 'Wiederherstellungscode verwenden',
  },
  usePasskey: 'Passkey verwenden',
  passkeyCancelled:
    'Der Passkey wurde nicht verwendet. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  confirm: 'Bestätigen',
  cancel: 'Abbrechen',
  logInAgain: 'Stattdessen neu anmelden',
  empty: 'Darf nicht leer sein.',
  wrong: {
    password: 'Das Passwort ist falsch.',
    totp: 'Dieser Code ist falsch oder wurde schon verwendet. Geben Sie den ein, den die App jetzt zeigt.',
    passkey: 'Dieser Passkey wurde nicht akzeptiert. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
    recovery_code: 'Dieser Wiederherstellungscode ist falsch oder wurde schon verwendet.',
  },
};
