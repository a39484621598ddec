import type { en } from './en.ts';

export const de: typeof en = {
  lead: 'Die Wörter, die auf den Seiten und in der API stehen, und was sie bedeuten.',
  terms: {
    monitor: {
      term: 'Monitor',
      meaning: 'Was Picket prüft: eine URL, ein TCP-Port oder ein Rechner, der auf Ping antwortet',
    },
    address: {
      term: 'Adresse',
      meaning:
        'Was ein Monitor prüft (`url` in der API): eine URL, `host:port` oder ein Hostname. Bei einem Sperrlisten-Monitor: die IP-Adresse oder die Domain',
    },
    typeOfCheck: { term: 'Art der Prüfung', meaning: 'HTTP, TCP-Port oder Ping (`type`)' },
    interval: {
      term: 'Intervall',
      meaning: 'Die Zeit zwischen zwei Prüfungen eines Monitors an einem Standort (`interval_seconds`)',
    },
    location: {
      term: 'Standort',
      meaning: 'Ein Ort, von dem aus Monitore geprüft werden, zum Beispiel Frankfurt (`fra`)',
    },
    probe: { term: 'Sonde', meaning: 'Das Programm, das an einem Standort prüft' },
    retries: {
      term: 'Wiederholungen',
      meaning:
        'Wie oft ein Standort eine fehlgeschlagene Prüfung im Abstand von 5 s wiederholt, bevor ihr Fehler zählt (`retries`)',
    },
    confirmations: {
      term: 'Bestätigungen',
      meaning:
        'Wie viele Standorte übereinstimmen müssen, dass ein Monitor ausgefallen ist, bevor ein Vorfall beginnt (`confirmations`). Ohne Angabe die Mehrheit',
    },
    vote: {
      term: 'Stimme',
      meaning: 'Was ein Standort über einen Monitor sagt, wenn Picket entscheidet: verfügbar, ausgefallen oder nichts',
    },
    up: { term: 'verfügbar', meaning: 'Weniger Standorte, als Bestätigungen nötig sind, melden einen Fehler' },
    degraded: { term: 'beeinträchtigt', meaning: 'Verfügbar, aber mindestens ein Standort meldet einen Fehler' },
    down: { term: 'ausgefallen', meaning: 'Genug Standorte stimmen überein, dass der Monitor fehlschlägt' },
    outage: { term: 'Ausfall', meaning: 'Die Zeit, in der ein Monitor ausgefallen ist' },
    incident: {
      term: 'Vorfall',
      meaning:
        'Die Aufzeichnung eines Ausfalls oder eines anderen Problems, von der Entscheidung bis zu seinem Ende. Die API sagt in Namen von Audit-Aktionen und Berechtigungen `alert` dazu',
    },
    firing: { term: 'offen', meaning: 'Heißt ein Vorfall, der weder behoben noch stummgeschaltet ist' },
    acknowledge: {
      term: 'bestätigen',
      meaning: 'Sagen, dass jemand an einem Vorfall arbeitet. Erinnerungen und Eskalation enden',
    },
    silence: {
      term: 'stummschalten',
      meaning: 'Die Benachrichtigungen eines Vorfalls anhalten: für eine Zeit, oder bis er behoben ist',
    },
    resolve: { term: 'beheben', meaning: 'Einen Vorfall beenden. Picket tut das, wenn das Problem vorbei ist' },
    alert: {
      term: 'Alarm',
      meaning:
        'Was Picket tut, wenn ein Vorfall beginnt: Es benachrichtigt die Kanäle. Eine Alarmregel legt fest, wann Server, Sperrlisten und Sicherungsjobs das auslösen',
    },
    notification: { term: 'Benachrichtigung', meaning: 'Eine Nachricht an einen Kanal über einen Vorfall' },
    channel: { term: 'Kanal', meaning: 'Wohin Benachrichtigungen gehen: E-Mail, ein Chat, ein Webhook' },
    uptime: { term: 'Verfügbarkeit', meaning: 'Der Teil der beobachteten Zeit, in dem ein Monitor verfügbar war' },
    observed: {
      term: 'beobachtet',
      meaning:
        'Der Teil einer Zeit, aus dem Picket Ergebnisse von Prüfungen hat (`coverage`). Pausen und Zeiten ohne verbundene Sonde sind nicht beobachtet und zählen weder als verfügbar noch als ausgefallen',
    },
    maintenance_window: {
      term: 'Wartungsfenster',
      meaning: 'Geplante Arbeiten: Vorfälle, die währenddessen beginnen, benachrichtigen niemanden',
    },
    calendar_feed: {
      term: 'Kalender-Feed',
      meaning: 'Eine Adresse, unter der Kalenderprogramme die Wartungsfenster eines Arbeitsbereichs lesen',
    },
    left_out: {
      term: 'ausgelassen',
      meaning:
        'Von einer Wartung, deren Fenster nicht in der Verfügbarkeit zählt (`counts_in_uptime`): Sie ist weder verfügbar noch ausgefallen',
    },
    server: { term: 'Server', meaning: 'Ein Rechner mit dem Agenten von Picket' },
    agent: {
      term: 'Agent',
      meaning: 'Das Programm, das einen Server misst und alle zehn Sekunden einen Messwert sendet',
    },
    sample: { term: 'Messwert', meaning: 'Die Werte, die ein Agent zu einem Zeitpunkt gemessen hat' },
    metric: { term: 'Messgröße', meaning: 'Wovon ein Messwert Werte hat, zum Beispiel der belegte Arbeitsspeicher' },
    joinToken: {
      term: 'Beitrittsschlüssel',
      meaning: 'Das Geheimnis, mit dem eine Sonde oder ein Agent beitritt. Der Befehl zur Installation enthält es',
    },
    blacklistMonitor: {
      term: 'Sperrlisten-Monitor',
      meaning: 'Eine IP-Adresse oder eine Domain, die Picket auf Sperrlisten nachschlägt',
    },
    backupJob: {
      term: 'Sicherungsjob',
      meaning: 'Eine Sicherung oder ein anderer Cron-Job, der pünktlich laufen muss und das mit einem Ping meldet',
    },
    pingUrl: {
      term: 'Ping-URL',
      meaning:
        'Die geheime URL, an die ein Sicherungsjob meldet, dass er begonnen hat, geendet hat oder fehlgeschlagen ist',
    },
    emailDomain: {
      term: 'E-Mail-Domain',
      meaning: 'Eine Domain, deren Einstellungen für E-Mail Picket täglich prüft',
    },
    securityScan: {
      term: 'Sicherheitsprüfung',
      meaning: 'Ein Blick auf die Website eines Monitors, wie alle sie sehen, mit Befunden und einer Wertung',
    },
    report: { term: 'Bericht', meaning: 'Ein PDF über einen Zeitraum, für einen Kunden des Arbeitsbereichs' },
    reportSchedule: {
      term: 'Berichtszeitplan',
      meaning: 'Wann Picket von selbst einen Bericht erstellt und wem es ihn sendet. Jeder Zeitpunkt ist ein Termin',
    },
    site: { term: 'Website', meaning: 'Eine WordPress-Website mit dem Plugin von Picket' },
    siteCheck: {
      term: 'Prüfung',
      meaning:
        'Eine von zehn Fragen, wie gut eine Website geschützt ist. Bestanden ist sie nur, wenn sie gemessen wurde',
    },
    bulkChange: {
      term: 'Sammeländerung',
      meaning: 'Eine Änderung vieler Monitore auf einmal. Sie kann 24 Stunden lang rückgängig gemacht werden',
    },
    workspace: {
      term: 'Arbeitsbereich',
      meaning: 'Was sich ein Team teilt: Monitore, Server, Kanäle, Mitglieder und ein Tarif',
    },
    operator: { term: 'Betreiber', meaning: 'Wer diese Installation von Picket betreibt' },
    apiKey: { term: 'API-Schlüssel', meaning: 'Womit ein Programm die API benutzt' },
    forwarder: { term: 'Weiterleitung', meaning: 'Was das Audit-Log an einen Empfänger von Ihnen sendet' },
  },
};
