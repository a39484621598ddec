import type { en } from './en.js';

export const de: typeof en = {
  openPicket: 'Picket öffnen',
  question: {
    title: 'Möchten Sie diese Alarme?',
    askedHtml: (askedByHtml, workspaceHtml, addressHtml) =>
      `${askedByHtml} möchte, dass Picket die Alarme des Arbeitsbereichs ${workspaceHtml} an ${addressHtml} sendet.`,
    what: 'Sie erhalten eine E-Mail, wenn etwas ausfällt, wenn jemand den Alarm bestätigt und wenn es wieder funktioniert. Sie brauchen kein Konto und können die E-Mails jederzeit abbestellen.',
    confirm: 'Alarme erhalten',
    otherwise: 'Wenn Sie sie nicht möchten, schließen Sie diese Seite: Picket sendet nichts, bevor Sie zustimmen.',
  },
  confirmed: {
    title: 'Sie erhalten die Alarme',
    textHtml: (workspaceHtml, addressHtml) =>
      `Ab jetzt sendet Picket die Alarme des Arbeitsbereichs ${workspaceHtml} an ${addressHtml}.`,
    stop: 'Jede E-Mail hat einen Link, mit dem Sie sie abbestellen.',
  },
  stop: {
    title: 'Diese E-Mails abbestellen?',
    textHtml: (workspaceHtml, addressHtml) =>
      `Picket sendet dann nichts mehr vom Arbeitsbereich ${workspaceHtml} an ${addressHtml}, auch keine Alarme.`,
    button: 'E-Mails abbestellen',
  },
  stopped: {
    title: 'Die E-Mails sind abbestellt',
    textHtml: (workspaceHtml, addressHtml) =>
      `Picket sendet nichts mehr vom Arbeitsbereich ${workspaceHtml} an ${addressHtml}. Der Arbeitsbereich kann das sehen.`,
    resume: 'E-Mails wieder erhalten',
  },
  resumed: {
    title: 'Sie erhalten die E-Mails wieder',
    textHtml: (workspaceHtml, addressHtml) =>
      `Picket sendet die Alarme des Arbeitsbereichs ${workspaceHtml} wieder an ${addressHtml}.`,
  },
  notResumed: {
    title: 'Die Adresse ist nicht bestätigt',
    textHtml: (workspaceHtml, addressHtml) =>
      `Die E-Mails des Arbeitsbereichs ${workspaceHtml} an ${addressHtml} sind nicht mehr abbestellt. Picket sendet sie aber erst, wenn Sie die Adresse bestätigt haben.`,
    ask: 'Jemand aus dem Arbeitsbereich kann Picket veranlassen, Sie zu fragen. Sie bestätigen mit dem Link in dieser E-Mail.',
  },
  refused: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Er ist abgelaufen, eine neuere E-Mail hat ihn ersetzt, oder er wurde nicht vollständig kopiert.',
  },
  tooMany: {
    title: 'Zu viele Links, die nicht funktionieren',
    text: 'Ihr Netz hat zu viele Links geöffnet, die nicht funktionieren. Versuchen Sie es in einer Minute wieder. Ein Link, der funktioniert, ist nicht betroffen.',
  },
  unavailable: {
    title: 'Picket ist nicht verfügbar',
    text: 'Die Datenbank antwortet nicht. Laden Sie diese Seite in einigen Sekunden neu.',
  },
};
