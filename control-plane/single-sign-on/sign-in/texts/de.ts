import type { en } from './en.js';

export const de: typeof en = {
  refusals: {
    not_configured: {
      title: 'Kein Single Sign-on für diese Adresse',
      what: 'Kein Arbeitsbereich verwendet Single Sign-on für diese E-Mail-Adresse.',
      todo: 'Prüfen Sie die Adresse, oder melden Sie sich mit Ihrem Passwort an.',
    },
    plan_required: {
      title: 'Single Sign-on ist nicht verfügbar',
      what: 'Der Tarif dieses Arbeitsbereichs enthält kein Single Sign-on.',
      todo: 'Melden Sie sich mit Ihrem Passwort an, oder fragen Sie einen Inhaber des Arbeitsbereichs.',
    },
    provider_unavailable: {
      title: 'Der Identitätsanbieter antwortet nicht',
      what: 'Picket konnte den Identitätsanbieter Ihres Arbeitsbereichs nicht erreichen.',
      todo: 'Versuchen Sie es in einer Minute noch einmal. Wenn es so bleibt, fragen Sie die Person, die den Identitätsanbieter betreibt.',
    },
    provider_error: {
      title: 'Der Identitätsanbieter hat die Anmeldung abgelehnt',
      what: 'Der Identitätsanbieter hat mit einem Fehler geantwortet, oder seine Einstellungen passen nicht zu denen von Picket.',
      todo: 'Versuchen Sie es noch einmal. Wenn es so bleibt, muss ein Inhaber des Arbeitsbereichs die Einstellungen beider Seiten vergleichen.',
    },
    sign_in_cancelled: {
      title: 'Anmeldung abgebrochen',
      what: 'Der Identitätsanbieter hat Sie nicht angemeldet, oder Sie haben die Anmeldung dort abgebrochen.',
      todo: 'Beginnen Sie noch einmal, oder bitten Sie bei Ihrem Identitätsanbieter um Zugang.',
    },
    expired: {
      title: 'Diese Anmeldung hat zu lange gedauert',
      what: 'Seit dem Beginn sind mehr als zehn Minuten vergangen.',
      todo: 'Beginnen Sie noch einmal.',
    },
    other_browser: {
      title: 'Diese Anmeldung wurde nicht in diesem Browser begonnen',
      what: 'Der Link gehört zu einer Anmeldung in einem anderen Browser oder einem anderen Fenster, oder sie begann vor mehr als zehn Minuten.',
      todo: 'Beginnen Sie in diesem Browser noch einmal. Wenn Ihnen jemand den Link geschickt hat, verwenden Sie ihn nicht.',
    },
    already_used: {
      title: 'Dieser Link wurde schon verwendet',
      what: 'Jede Antwort eines Identitätsanbieters gilt einmal.',
      todo: 'Beginnen Sie noch einmal.',
    },
    provider_changed: {
      title: 'Die Einstellungen haben sich geändert',
      what: 'Die Einstellungen für Single Sign-on des Arbeitsbereichs wurden während Ihrer Anmeldung geändert.',
      todo: 'Beginnen Sie noch einmal.',
    },
    invalid_response: {
      title: 'Die Antwort des Identitätsanbieters ist nicht gültig',
      what: 'Picket hat die Antwort nicht angenommen: Sie gehört nicht zu dieser Anmeldung oder ist nicht richtig signiert.',
      todo: 'Beginnen Sie noch einmal. Wenn es so bleibt, muss ein Inhaber des Arbeitsbereichs die Einstellungen prüfen.',
    },
    email_missing: {
      title: 'Ihre E-Mail-Adresse fehlt',
      what: 'Der Identitätsanbieter hat keine E-Mail-Adresse gesendet.',
      todo: 'Bitten Sie die Person, die den Identitätsanbieter betreibt, den Claim „email“ an Picket zu senden.',
    },
    email_unverified: {
      title: 'Ihre E-Mail-Adresse ist nicht bestätigt',
      what: 'Der Identitätsanbieter hat Ihre E-Mail-Adresse nicht bestätigt.',
      todo: 'Bestätigen Sie die Adresse bei Ihrem Identitätsanbieter, und beginnen Sie dann noch einmal.',
    },
    domain_not_verified: {
      title: 'Ihre E-Mail-Adresse gehört nicht zu diesem Arbeitsbereich',
      what: 'Die Domain Ihrer E-Mail-Adresse ist keine bestätigte Domain dieses Arbeitsbereichs.',
      todo: 'Verwenden Sie die Adresse Ihrer Firma, oder bitten Sie einen Inhaber, die Domain hinzuzufügen.',
    },
    account_exists: {
      title: 'Es gibt ein Konto mit dieser Adresse',
      what: 'Es gibt ein Konto mit Ihrer E-Mail-Adresse, aber es ist kein Mitglied dieses Arbeitsbereichs.',
      todo: 'Bitten Sie um eine Einladung, und nehmen Sie sie an, nachdem Sie sich mit Ihrem Passwort angemeldet haben. Danach funktioniert Single Sign-on.',
    },
    subject_changed: {
      title: 'Das ist eine andere Person des Identitätsanbieters',
      what: 'Ihr Konto ist mit einer anderen Person des Identitätsanbieters verknüpft, die dieselbe E-Mail-Adresse hat.',
      todo: 'Bitten Sie einen Inhaber des Arbeitsbereichs, diese Verknüpfung zu entfernen.',
    },
    member_removed: {
      title: 'Sie sind kein Mitglied mehr',
      what: 'Sie wurden aus diesem Arbeitsbereich entfernt.',
      todo: 'Bitten Sie einen Inhaber des Arbeitsbereichs um eine Einladung.',
    },
    operator_account: {
      title: 'Betreiber melden sich anders an',
      what: 'Ihr Konto darf diese ganze Installation ändern, deshalb kann der Identitätsanbieter eines einzelnen Arbeitsbereichs es nicht öffnen.',
      todo: 'Melden Sie sich mit Ihrem Passwort an, oder über den Identitätsanbieter der Installation.',
    },
    no_access: {
      title: 'Sie haben keinen Zugang zu diesem Arbeitsbereich',
      what: 'Keine der Gruppen, die der Identitätsanbieter gesendet hat, hat Zugang zu diesem Arbeitsbereich.',
      todo: 'Fragen Sie die Person, die bei Ihrem Identitätsanbieter die Gruppen verwaltet.',
    },
    workspace_full: {
      title: 'Dieser Arbeitsbereich hat zu viele Mitglieder',
      what: 'Der Arbeitsbereich hat so viele Mitglieder, wie er haben kann.',
      todo: 'Bitten Sie einen Inhaber des Arbeitsbereichs, Mitglieder zu entfernen, die ihn nicht mehr verwenden.',
    },
    account_unconfirmed: {
      title: 'Es gibt ein unbestätigtes Konto mit dieser Adresse',
      what: 'Jemand hat ein Konto mit Ihrer E-Mail-Adresse angelegt und die Adresse nie bestätigt.',
      todo: 'Setzen Sie das Passwort zurück: Die E-Mail dafür geht an Sie. Beginnen Sie dann noch einmal.',
    },
    not_confirmed: {
      title: 'Die Anmeldung liegt zu lange zurück',
      what: 'Der Identitätsanbieter hat nicht gefragt, wer Sie sind.',
      todo: 'Melden Sie sich beim Identitätsanbieter ab, und beginnen Sie dann noch einmal.',
    },
  },
  toLogIn: 'Zur Anmeldung',
  request: (id) => `Anfrage ${id}`,
  continue: {
    title: 'Bei Picket anmelden',
    text: (workspace, issuer) =>
      `Eine andere Website hat diese Seite geöffnet. Fahren Sie nur fort, wenn Sie sich über ${issuer} bei ${workspace} anmelden möchten.`,
    link: 'Weiter zur Anmeldung',
  },
};
