import type { SubscriptionWords } from './words.js';

export const de: SubscriptionWords = {
  form: {
    title: 'Meldungen per E-Mail',
    label: 'E-Mail-Adresse',
    button: 'Abonnieren',
    choose: 'Systeme auswählen',
    components: 'Nur zu diesen Systemen',
    help: 'Wenn Sie keines auswählen, erhalten Sie Meldungen zu allen Systemen.',
    wrong: 'Geben Sie eine gültige E-Mail-Adresse ein.',
  },
  asked: {
    title: 'Sehen Sie in Ihr Postfach',
    text: 'Wenn diese Adresse die Meldungen noch nicht erhält, ist eine E-Mail mit einem Link unterwegs. Öffnen Sie ihn, um die Adresse zu bestätigen.',
  },
  tooMany: { title: 'Zu viele Anfragen', text: 'Versuchen Sie es morgen noch einmal.' },
  confirm: {
    title: 'Abonnement bestätigen',
    text: (page, address) => `Meldungen von ${page} an ${address} senden?`,
    button: 'Bestätigen',
  },
  confirmed: {
    title: 'Sie haben die Meldungen abonniert',
    text: (page, address) =>
      `${address} erhält ab jetzt die Meldungen von ${page}. Jede E-Mail hat einen Link zum Abbestellen.`,
  },
  full: {
    title: 'Diese Seite hat keinen Platz für weitere Abonnenten',
    text: 'Ihr Betreiber hat die Höchstzahl der Abonnenten erreicht.',
  },
  stop: {
    title: 'Meldungen abbestellen?',
    text: (page, address) => `${address} erhält dann keine Meldungen von ${page} mehr.`,
    button: 'Abbestellen',
  },
  stopped: {
    title: 'Sie haben die Meldungen abbestellt',
    text: 'Diese Adresse erhält keine Meldungen dieser Seite mehr.',
  },
  refused: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Er ist unvollständig oder abgelaufen. Abonnieren Sie die Meldungen auf der Statusseite noch einmal.',
  },
  unavailable: { title: 'Diese Seite ist nicht verfügbar', text: 'Laden Sie sie in einigen Sekunden neu.' },
  mail: {
    confirmTitle: (page) => `Bestätigen Sie Ihr Abonnement von ${page}`,
    confirmText: (page, until) =>
      `Jemand hat diese Adresse auf der Statusseite von ${page} eingegeben, um ihre Meldungen per E-Mail zu erhalten. Der Link gilt bis ${until}.`,
    confirmIgnore:
      'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ohne Ihre Bestätigung wird Ihnen nichts gesendet.',
    confirmAction: 'Seite zum Bestätigen öffnen',
    confirmWhy: (page) =>
      `Sie erhalten diese E-Mail, weil diese Adresse auf der Statusseite von ${page} eingegeben wurde.`,
    maintenancePlanned: 'Wartung geplant',
    maintenanceStarted: 'Wartung hat begonnen',
    maintenanceEnded: 'Wartung ist beendet',
    state: 'Zustand',
    affected: 'Betroffen',
    time: 'Zeit',
    open: 'Statusseite öffnen',
    more: 'Der ganze Text steht auf der Statusseite.',
    why: (page) => `Sie erhalten diese E-Mail, weil Sie die Statusseite von ${page} abonniert haben.`,
    stop: 'Abbestellen',
    copy: 'Oder kopieren Sie diese Adresse in Ihren Browser:',
  },
};
