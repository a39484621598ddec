import { number, plural } from '../../../../texts/format.ts';
import { dative } from '../../../../texts/german.ts';
import type { HappenedWords } from '../happened.ts';

const monitors = (count: number) => plural(count, { one: 'Monitor', other: 'Monitore' });
const ofMonitors = (count: number) => plural(count, { one: 'Monitor', other: 'Monitoren' });

const BULK: Readonly<Record<string, (count: number) => string>> = {
  set: (count) => `${monitors(count)} geändert`,
  add_tags: (count) => `${ofMonitors(count)} Tags hinzugefügt`,
  remove_tags: (count) => `Tags von ${ofMonitors(count)} entfernt`,
  pause: (count) => `${monitors(count)} pausiert`,
  resume: (count) => `${monitors(count)} fortgesetzt`,
  delete: (count) => `${monitors(count)} gelöscht`,
  add: (count) => `${monitors(count)} angelegt`,
};

const DOMAIN: Readonly<Record<string, string>> = {
  added: 'hat die Domain hinzugefügt',
  verified: 'hat die Domain bestätigt',
  unverified: 'hat die Bestätigung der Domain verloren',
  removed: 'hat die Domain entfernt',
};

const ROLES: Readonly<Record<string, string>> = {
  ...{ owner: 'Inhaber', admin: 'Administrator', member: 'Mitglied', viewer: 'Betrachter' },
};

const roleOf = (role: string) => ROLES[role] ?? role;

const bulk = (operation: string, count: number) => (BULK[operation] ?? BULK['set'])?.(count) ?? '';

export const de: HappenedWords = {
  picket: 'Picket',
  act: (who, verb, object) => `${who} hat ${object} ${verb}`,
  sentences: {
    'access.refused': ({ who }) => `Eine Anfrage von ${who} wurde abgelehnt, weil das Recht dazu fehlt.`,
    'api_key.change_refused': ({ who }) => `Eine Änderung an den API-Schlüsseln durch ${who} wurde abgelehnt.`,
    'audit.exported': ({ who }) => `${who} hat das Audit-Protokoll exportiert.`,
    'audit.chain_broken': () => 'Jemand hat Einträge des Audit-Protokolls geändert oder gelöscht.',
    'auth.account_deletion_cancelled': ({ who }) => `${who} behält das Konto.`,
    'auth.account_deletion_requested': ({ who }) => `${who} hat die Löschung des Kontos beantragt.`,
    'auth.change_refused': ({ who }) => `Eine Änderung am Konto von ${who} wurde abgelehnt.`,
    'auth.email_changed': ({ who }) => `${who} hat die E-Mail-Adresse des Kontos geändert.`,
    'auth.email_confirmed': ({ who }) => `${who} hat die E-Mail-Adresse des Kontos bestätigt.`,
    'auth.login': ({ who }) => `${who} hat sich angemeldet.`,
    'auth.login_failed': ({ who }) => `Eine Anmeldung von ${who} ist fehlgeschlagen.`,
    'auth.logout': ({ who }) => `${who} hat sich abgemeldet.`,
    'auth.mfa_disabled': ({ who }) => `${who} hat einen zweiten Faktor entfernt.`,
    'auth.mfa_enabled': ({ who }) => `${who} hat einen zweiten Faktor hinzugefügt.`,
    'auth.passkey_renamed': ({ who }) => `${who} hat einen Passkey umbenannt.`,
    'auth.password_changed': ({ who }) => `${who} hat das Passwort des Kontos geändert.`,
    'auth.password_reset': ({ who }) => `${who} hat per E-Mail ein neues Passwort gesetzt.`,
    'auth.password_reset_requested': ({ who }) => `Jemand hat ein neues Passwort für ${who} angefordert.`,
    'auth.recovery_codes_renewed': ({ who }) => `${who} hat neue Wiederherstellungscodes erzeugt.`,
    'auth.session_ended': ({ who }) => `${who} hat eine Sitzung beendet.`,
    'auth.signed_up': ({ who }) => `${who} hat ein Konto angelegt.`,
    'auth.workspace_switched': ({ who }) => `${who} hat den Arbeitsbereich geöffnet.`,
    'backup_job.url_renewed': ({ who }) => `${who} hat die Ping-URL des Sicherungsjobs ersetzt.`,
    'billing.change_refused': ({ who }) => `Eine Änderung des Tarifs durch ${who} wurde abgelehnt.`,
    'billing.invoice_paid': () => 'Eine Rechnung wurde bezahlt.',
    'billing.payment_failed': () => 'Eine Zahlung ist fehlgeschlagen.',
    'billing.plan_changed': ({ from, to }) =>
      from === '' || to === '' ? 'Der Tarif wurde gewechselt.' : `Der Tarif wurde von ${from} auf ${to} gewechselt.`,
    'integration.change_refused': ({ who }) => `Eine Änderung an einer Integration durch ${who} wurde abgelehnt.`,
    'integration.credential_rotated': () => 'Die Zugangsdaten wurden ersetzt.',
    'integration.updated': ({ who, change }) => `${who} ${DOMAIN[change] ?? 'hat die Integration geändert'}.`,
    'monitor.bulk_changed': ({ who, operation, count }) => `${who} hat ${bulk(operation, count)}.`,
    'monitor.secrets_exported': ({ who }) => `${who} hat die Monitore mit ihren Geheimnissen exportiert.`,
    'monitor.secrets_read': ({ who }) => `${who} hat die Liste der Monitore mit ihren Geheimnissen gelesen.`,
    'monitor.bulk_undone': ({ who, count }) => `${who} hat eine Änderung an ${ofMonitors(count)} rückgängig gemacht.`,
    'probe.enrolled': () => 'Die Sonde ist beigetreten.',
    'probe.join_token_created': ({ who }) => `${who} hat einen Beitrittsschlüssel für eine Sonde erzeugt.`,
    'probe.join_token_revoked': ({ who }) => `${who} hat einen Beitrittsschlüssel für eine Sonde widerrufen.`,
    'server.created': () => 'Der Server wurde hinzugefügt.',
    'recipient.asked': ({ who }) => `${who} hat gefragt, ob diese Adresse die Alarme möchte.`,
    'recipient.confirmed': () => 'Die Adresse erhält ab jetzt die Alarme.',
    'recipient.stopped': () => 'Die Adresse hat die E-Mails des Arbeitsbereichs abbestellt.',
    'recipient.resumed': () => 'Die Adresse hat die Abbestellung der E-Mails zurückgenommen.',
    'server.join_token_created': ({ who }) => `${who} hat einen Beitrittsschlüssel für einen Server erzeugt.`,
    'server.join_token_revoked': ({ who }) => `${who} hat einen Beitrittsschlüssel für einen Server widerrufen.`,
    'maintenance.feed_created': ({ who }) => `${who} hat einen Kalender-Feed der Wartung erstellt.`,
    'maintenance.feed_revoked': ({ who }) => `${who} hat einen Kalender-Feed der Wartung widerrufen.`,
    'site.code_created': ({ who }) => `${who} hat einen Aktivierungscode für die Website erstellt.`,
    'site.fix_queued': ({ who }) => `${who} hat eine Korrektur der Website begonnen.`,
    'site.job_ended': () => 'Eine Änderung der Website ist beendet.',
    'site.plugin_change_queued': ({ who }) =>
      `${who} hat begonnen, ein Plugin der Website zu aktualisieren, zu deaktivieren oder zurückzusetzen.`,
    'site.undo_queued': ({ who }) => `${who} hat begonnen, eine Korrektur der Website zurückzunehmen.`,
    'report.previewed': ({ who }) => `${who} hat die Vorschau eines Berichts angesehen.`,
    'report.schedule_created': ({ who }) => `${who} hat einen Berichtszeitplan angelegt.`,
    'report.schedule_deleted': ({ who }) => `${who} hat einen Berichtszeitplan gelöscht.`,
    'report.schedule_updated': ({ who }) => `${who} hat einen Berichtszeitplan geändert.`,
    'scan.completed': () => 'Die Sicherheitsprüfung ist abgeschlossen.',
    'scan.failed': () => 'Die Sicherheitsprüfung ist fehlgeschlagen.',
    'email_domain.check_requested': ({ who }) => `${who} hat eine Prüfung der E-Mail-Domain angefordert.`,
    'status_page.incident_created': ({ who }) => `${who} hat den Vorfall auf einer Statusseite angelegt.`,
    'status_page.incident_deleted': ({ who }) => `${who} hat den Vorfall auf einer Statusseite gelöscht.`,
    'status_page.incident_updated': ({ who }) => `${who} hat den Vorfall auf einer Statusseite geändert.`,
    'status_page.subscriber_added': ({ who }) => `${who} hat einen Abonnenten zu einer Statusseite hinzugefügt.`,
    'status_page.subscriber_confirmed': () => 'Hat eine Statusseite abonniert.',
    'status_page.subscriber_left': () => 'Erhält keine Meldungen einer Statusseite mehr.',
    'status_page.subscriber_removed': ({ who }) => `${who} hat einen Abonnenten von einer Statusseite entfernt.`,
    'status_page.update_posted': ({ who }) => `${who} hat eine Meldung auf einer Statusseite veröffentlicht.`,
    'team.change_refused': ({ who }) => `Eine Änderung am Team durch ${who} wurde abgelehnt.`,
    'team.invitation_revoked': ({ who }) => `${who} hat die Einladung widerrufen.`,
    'team.member_invited': ({ who, role }) => `Von ${who}${role === '' ? '' : ` als ${roleOf(role)}`} eingeladen.`,
    'team.member_joined': ({ role }) =>
      `Ist dem Arbeitsbereich${role === '' ? '' : ` als ${roleOf(role)}`} beigetreten.`,
    'team.member_removed': () => 'Hat den Arbeitsbereich verlassen.',
    'team.role_changed': ({ who }) => `${who} hat die Rolle geändert.`,
    'workspace.change_refused': ({ who }) => `Eine Änderung am Arbeitsbereich durch ${who} wurde abgelehnt.`,
    'workspace.deletion_requested': ({ who }) => `${who} hat die Löschung des Arbeitsbereichs beantragt.`,
    'blacklist.delisted': () => 'Nicht mehr auf einer Sperrliste eingetragen.',
    'blacklist.dropped': () => 'Wird auf einer Sperrliste nicht mehr geprüft.',
    'blacklist.listed': () => 'Auf einer Sperrliste eingetragen.',
    'certificate.changed': () => 'Das Zertifikat wurde ersetzt.',
    'incident.acknowledged': ({ who }) => `${who} hat den Vorfall bestätigt.`,
    'incident.channel_removed': ({ who }) => `${who} hat einen Kanal des Vorfalls gelöscht.`,
    'incident.opened': () => 'Ein Vorfall wurde eröffnet.',
    'incident.resolved': () => 'Der Vorfall ist behoben.',
    'incident.severity_changed': () => 'Der Schweregrad des Vorfalls hat sich geändert.',
    'incident.silenced': ({ who }) => `${who} hat den Vorfall stummgeschaltet.`,
    'incident.unsilenced': () => 'Der Vorfall ist nicht mehr stummgeschaltet.',
    'incident.widened': () => 'Der Vorfall betrifft inzwischen mehr.',
    'server.status_changed': ({ to }) =>
      to === 'online' ? 'Der Server ist online.' : 'Der Server sendet keine Messwerte mehr.',
  },
  objects: {
    ...{ alert: 'den Vorfall', alert_rule: 'die Alarmregel', api_key: 'den API-Schlüssel' },
    backup_job: 'den Sicherungsjob',
    ...{ blacklist_monitor: 'den Sperrlisten-Monitor', channel: 'den Kanal', forwarder: 'die Weiterleitung' },
    ...{ integration: 'die Integration', location: 'den Standort', maintenance: 'das Wartungsfenster' },
    ...{ monitor: 'den Monitor', on_call_links: 'die Links in Benachrichtigungen', probe: 'die Sonde' },
    ...{ report: 'den Bericht', scan: 'die Sicherheitsprüfung', server: 'den Server', site: 'die Website' },
    ...{ email_domain: 'die E-Mail-Domain', status_page: 'die Statusseite', workspace: 'den Arbeitsbereich' },
  },
  verbs: {
    ...{ acknowledged: 'bestätigt', commented: 'kommentiert', completed: 'abgeschlossen', connected: 'verbunden' },
    ...{ created: 'angelegt', deleted: 'gelöscht', disconnected: 'getrennt', downloaded: 'heruntergeladen' },
    ...{ drained: 'stillgelegt', paused: 'pausiert', resolved: 'behoben', restored: 'wiederhergestellt' },
    ...{ resumed: 'fortgesetzt', revoked: 'widerrufen', rotated: 'ersetzt', silenced: 'stummgeschaltet' },
    ...{ ended: 'vorzeitig beendet', extended: 'verlängert' },
    ...{ suspended: 'gesperrt', triggered: 'gestartet', undrained: 'wieder in Betrieb genommen' },
    ...{ unsilenced: 'wieder laut gestellt', updated: 'geändert' },
  },
  fields: {
    ...{ name: 'Name', url: 'Adresse', tags: 'Tags', type: 'Art der Prüfung', interval_seconds: 'Intervall' },
    ...{ timeout_ms: 'Zeitlimit', confirmations: 'Bestätigungen', retries: 'Wiederholungen', locations: 'Standorte' },
    ...{ channels: 'Kanäle', runbook_url: 'Runbook', enabled: 'ein oder aus', severity: 'Schweregrad' },
    ...{ threshold: 'Schwelle', duration_seconds: 'Dauer', metric: 'Messgröße', frequency: 'Häufigkeit' },
    ...{ target: 'Adresse', filter: 'Filter', config: 'Einstellungen', escalation_minutes: 'Eskalation' },
    ...{ reminder_minutes: 'Erinnerungen', region: 'Region', requires_second_factor: 'zweiter Faktor' },
    ...{ report_interval_seconds: 'Intervall der Messwerte', role: 'Rolle' },
  },
  otherFields: (count) =>
    plural(count, { one: 'eine weitere Einstellung', other: 'weitere Einstellungen' }).replace(/^1 /, ''),
  many: {
    monitor: monitors,
    server: (count) => plural(count, { one: 'Server', other: 'Server' }),
    channel: (count) => plural(count, { one: 'Kanal', other: 'Kanäle' }),
    alert_rule: (count) => plural(count, { one: 'Alarmregel', other: 'Alarmregeln' }),
    blacklist_monitor: (count) => plural(count, { one: 'Sperrlisten-Monitor', other: 'Sperrlisten-Monitore' }),
  },
  often: (sentence, times, hasMore) => `${sentence} (${hasMore ? 'mindestens ' : ''}${times}-mal)`,
  atLeast: (objects) => `mindestens ${objects}`,
  changes: 'Änderungen',
  outages: {
    many: (isOutage, count, last) =>
      `${plural(count, isOutage ? { one: 'Ausfall', other: 'Ausfälle' } : { one: 'Vorfall', other: 'Vorfälle' })}, zuletzt ${last}.`,
    over: (lasted) => `Ausgefallen, Dauer: ${lasted}.`,
    resolvedByPerson: (lasted) => `Ausgefallen. Eine Person hat den Vorfall nach ${dative(lasted)} behoben.`,
    lasting: (since) => `Ausgefallen seit ${since}.`,
    together: {
      over: (lasted) => `Gleichzeitig ausgefallen, Dauer: bis zu ${lasted}.`,
      resolvedByPerson: (lasted) =>
        `Gleichzeitig ausgefallen. Personen haben die Vorfälle nach bis zu ${dative(lasted)} behoben.`,
      someByPerson: (count) => `${count === 1 ? 'Einen' : number(count)} der Vorfälle haben Personen behoben.`,
      lasting: (since) => `Gleichzeitig ausgefallen seit ${since}.`,
      left: (count) => `${count === 1 ? '1 ist' : `${number(count)} sind`} noch ausgefallen.`,
    },
  },
};
