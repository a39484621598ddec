import { list, plural } from '../../../texts/format.ts';
import { dative } from '../../../texts/german.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  account: {
    title: 'Profil',
    signedInAs: (email) => `Sie sind als ${email} angemeldet.`,
  },
  email: {
    title: 'E-Mail-Adresse',
    current: 'Ihre Adresse ist',
    next: 'Neue Adresse',
    password: 'Aktuelles Passwort',
    change: 'Adresse ändern',
    noMail:
      'Zum Ändern öffnen Sie sonst einen Link in einer E-Mail an die neue Adresse. Diese Installation sendet keine E-Mails, deshalb bleibt die Adresse, wie sie ist.',
    sent: (email) =>
      `Eine E-Mail an ${email} ist unterwegs. Ihre Adresse ändert sich, sobald Sie den Link darin öffnen; bis dahin bleibt alles, wie es ist.`,
  },
  password: {
    title: 'Passwort',
    current: 'Aktuelles Passwort',
    next: 'Neues Passwort',
    help: 'Mindestens 12 Zeichen. Ein paar Wörter ohne Zusammenhang sind leicht zu merken und schwer zu erraten.',
    change: 'Passwort ändern',
    changed: 'Ihr Passwort ist geändert. Alle Ihre anderen Sitzungen sind beendet.',
    forgot: 'Stattdessen per E-Mail ein Passwort setzen',
    forgotNoMail: 'Passwort vergessen?',
  },
  appearance: {
    title: 'Sprache und Farben',
    here: 'Diese Einstellungen gelten für diesen Browser.',
  },
  deletion: {
    title: 'Konto löschen',
    text: 'Mit dem Konto verlassen Sie alle Arbeitsbereiche, und Ihre API-Schlüssel werden ungültig. Sieben Tage lang können Sie das abbrechen.',
    delete: 'Konto löschen',
    confirmTitle: (email) => `Das Konto ${email} löschen?`,
    confirmText:
      'Alle Ihre anderen Sitzungen enden sofort. Nach sieben Tagen werden das Konto und Ihre API-Schlüssel gelöscht. Bis dahin können Sie das auf dieser Seite abbrechen.',
    planned: (at) => `Dieses Konto wird am ${at} gelöscht.`,
    restore: 'Konto behalten',
    restored: 'Das Konto bleibt erhalten.',
  },
  sessions: {
    title: 'Sitzungen',
    sentence: (count) =>
      count === 1
        ? 'Sie sind hier angemeldet und sonst nirgends.'
        : `Sie sind ${plural(count, { one: 'Mal', other: 'Mal' })} angemeldet.`,
    current: 'diese Sitzung',
    end: 'Beenden',
    endOf: (device) => `Die Sitzung von ${device} beenden`,
    ended: (device) => `Die Sitzung von ${device} ist beendet.`,
    endOthers: 'Alle anderen beenden',
    endOthersTitle: (count) => `${plural(count, { one: 'andere Sitzung', other: 'andere Sitzungen' })} beenden?`,
    endOthersText: 'Die Geräte müssen sich neu anmelden. Diese Sitzung bleibt.',
    allEnded: 'Alle anderen Sitzungen sind beendet.',
    how: {
      password: 'Mit dem Passwort angemeldet',
      passkey: 'Mit einem Passkey angemeldet',
      single_sign_on: 'Mit Single Sign-on angemeldet',
      header: 'Durch den Proxy angemeldet',
    },
    withSecondFactor: ' und zweitem Faktor',
    used: (ago) => `zuletzt benutzt vor ${dative(ago)}`,
    usedNow: 'jetzt benutzt',
    expires: 'läuft ab',
    noAddress: 'ohne Adresse',
    unknown:
      'Wenn Sie eine Sitzung nicht erkennen, beenden Sie sie, und ändern Sie dann Ihr Passwort: Wer sie geöffnet hat, kennt das Passwort oder hat Ihr Gerät.',
  },
  secondFactor: {
    title: 'Zweiter Faktor',
    none: 'Nur das Passwort schützt Ihr Konto.',
    protectedBy: (factors) => `Ihr Konto ist durch ${factors} geschützt.`,
    thePassword: 'das Passwort',
    anApp: 'eine Authenticator-App',
    somePasskeys: (count) => plural(count, { one: 'Passkey', other: 'Passkeys' }),
    fewCodes: (left) =>
      left === 0
        ? 'Kein Wiederherstellungscode ist übrig. Ohne einen sperrt ein verlorenes Gerät Sie aus.'
        : `Nur noch ${plural(left, { one: 'Wiederherstellungscode ist', other: 'Wiederherstellungscodes sind' })} übrig.`,
    requiredBy: (names) =>
      `${list(names)} ${names.length === 1 ? 'verlangt' : 'verlangen'} einen zweiten Faktor. Den letzten können Sie deshalb nicht entfernen.`,
  },
  app: {
    title: 'Authenticator-App',
    none: 'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code. Nach dem Passwort fragt Picket diesen Code ab.',
    since: 'Eingerichtet seit',
    setUp: 'App einrichten',
    replace: 'Andere App einrichten',
    qr: 'QR-Code mit dem Geheimnis für die Authenticator-App',
    scan: 'Scannen Sie den QR-Code mit der App, oder tippen Sie das Geheimnis ab. Geben Sie dann den Code ein, den die App zeigt.',
    secret: 'Geheimnis für die App',
    code: 'Code',
    wrong:
      'Diesen Code zeigt die App jetzt nicht. Prüfen Sie die Uhrzeit des Telefons, und geben Sie den nächsten Code ein.',
    verify: 'Einschalten',
    cancel: 'Abbrechen',
    done: 'Die Authenticator-App ist eingerichtet.',
  },
  removeApp: {
    remove: 'Entfernen',
    title: 'Die Authenticator-App entfernen?',
    text: 'Ihre Passkeys bleiben. Alle Ihre anderen Sitzungen enden.',
    lastOne:
      'Sie ist Ihr letzter zweiter Faktor: Danach genügt das Passwort, und Ihre Wiederherstellungscodes werden ungültig. Alle Ihre anderen Sitzungen enden.',
    ways: { totp: 'Code der App', recovery_code: 'Wiederherstellungscode' },
    instead: {
      totp: 'Einen Code der App verwenden',
      recovery_code: 'Einen Wiederherstellungscode verwenden',
      passkey: 'Einen Passkey verwenden',
    },
    cancel: 'Abbrechen',
    removed: 'Die Authenticator-App ist entfernt.',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Ein Passkey meldet Sie mit dem Fingerabdruck, dem Gesicht oder der PIN Ihres Geräts an. Er schützt vor Phishing und ersetzt das Passwort.',
    notHere:
      'Passkeys brauchen https und einen Hostnamen in der Adresse von Picket. Hier können Sie eine Authenticator-App verwenden.',
    add: 'Passkey hinzufügen',
    create: 'Weiter',
    name: 'Name des Passkeys',
    nameHelp: 'Wo er gespeichert ist, zum Beispiel „Laptop“ oder der Name Ihres Passwortmanagers.',
    cancel: 'Abbrechen',
    cancelled:
      'Es wurde kein Passkey hinzugefügt: Sie haben abgebrochen, oder dieses Gerät hat schon einen Passkey dieses Kontos.',
    added: (name) => `Der Passkey ${name} ist hinzugefügt.`,
    created: 'Hinzugefügt',
    lastUsed: 'zuletzt benutzt',
    never: 'noch nie',
    backedUp: 'vom Anbieter kopiert',
    onDevice: 'nur auf diesem Gerät',
    rename: 'Umbenennen',
    save: 'Speichern',
    remove: 'Entfernen',
    removeTitle: (name) => `Den Passkey ${name} entfernen?`,
    removeText:
      'Sie können sich damit nicht mehr anmelden. Alle Ihre anderen Sitzungen enden. Das lässt sich nicht rückgängig machen.',
    removed: (name) => `Der Passkey ${name} ist entfernt.`,
  },
  recoveryCodes: {
    title: 'Wiederherstellungscodes',
    text: 'Jeder Code meldet Sie einmal an, wenn Sie Ihr Telefon oder Ihren Passkey nicht haben.',
    left: (count) => `${plural(count, { one: 'Code ist', other: 'Codes sind' })} übrig.`,
    renew: 'Neue Codes erzeugen',
    renewTitle: 'Neue Wiederherstellungscodes erzeugen?',
    renewText: 'Die Codes, die Sie jetzt haben, werden ungültig.',
    newTitle: 'Ihre neuen Wiederherstellungscodes',
    newText:
      'Bewahren Sie sie dort auf, wo Sie sie ohne Ihr Telefon finden, zum Beispiel in einem Passwortmanager oder auf Papier. Sie sind nur jetzt zu sehen, und frühere Codes gelten nicht mehr.',
    download: 'Als Datei speichern',
    stored: 'Ich habe sie gespeichert',
    fileTitle: (host) => `Wiederherstellungscodes für Picket auf ${host}. Jeder gilt einmal.`,
  },
};
