import { duration, list, milliseconds, plural } from '../format.ts';
import { dative, every } from '../german.ts';
import { shown, type Texts } from './en.ts';

const monitors = (count: number) => plural(count, { one: 'Monitor', other: 'Monitore' });
const locations = (count: number) => plural(count, { one: 'Standort', other: 'Standorten' });

export const de: Texts = {
  frame: {
    skip: 'Zum Inhalt',
    loading: 'Wird geladen …',
    navigation: 'Hauptnavigation',
    overview: 'Übersicht',
    monitors: 'Monitore',
    incidents: 'Vorfälle',
    servers: 'Server',
    wordpress: 'WordPress',
    blacklists: 'Sperrlisten',
    reports: 'Berichte',
    statusPages: 'Statusseiten',
    auditLog: 'Audit-Protokoll',
    settings: 'Einstellungen',
    more: 'Mehr',
    search: 'Suchen',
    narrow: 'Einklappen',
    widen: 'Ausklappen',
    workspace: 'Arbeitsbereich',
    createWorkspace: 'Arbeitsbereich anlegen',
    createWorkspaceText:
      'Er beginnt mit dem Tarif Free, und Sie sind sein Inhaber. Sie können jederzeit zwischen Arbeitsbereichen wechseln.',
    workspaceName: 'Name',
    create: 'Anlegen',
    firing: (count) => `${count} offen`,
    showPassword: 'Passwort anzeigen',
    account: 'Konto',
    colours: 'Farben',
    light: 'Hell',
    dark: 'Dunkel',
    system: 'System',
    language: 'Sprache',
    apiReference: 'API-Referenz',
    glossary: 'Glossar',
    logOut: 'Abmelden',
    slow: 'Picket braucht für die Antwort länger als gewöhnlich. Sobald sie da ist, erscheint die Seite.',
    version: (version) => `Picket ${version}`,
    unconfirmed: (email) =>
      `Bestätigen Sie Ihre E-Mail-Adresse ${email} mit dem Link in der E-Mail von Picket. Bis dahin können Sie keine API-Schlüssel, Passkeys, Einladungen und Kanäle anlegen.`,
    unconfirmable: (email) =>
      `Ihre E-Mail-Adresse ${email} ist nicht bestätigt. Bis dahin können Sie keine API-Schlüssel, Passkeys, Einladungen und Kanäle anlegen. Picket versendet hier keine E-Mails. Bitten Sie die Person, die Picket betreibt, um einen Link: Der Befehl „scripts/picket confirm-email“ gibt einen aus.`,
    resend: 'E-Mail noch einmal senden',
    resent: 'Die E-Mail ist unterwegs.',
    moreFiring: (count) => `mehr als ${count} offen`,
  },
  dialog: { cancel: 'Abbrechen' },
  toasts: {
    undo: 'Rückgängig',
    close: 'Meldung schließen',
    slow: 'Picket braucht länger als sonst. Ihre Anfrage läuft noch.',
  },
  file: { choose: 'Datei auswählen', none: 'Keine Datei ausgewählt' },
  copy: { copy: 'Kopieren', copied: 'Kopiert' },
  settings: {
    navigation: 'Einstellungen',
    groups: { workspace: 'Arbeitsbereich', person: 'Mein Konto', operator: 'Betreiber' },
  },
  problem: {
    title: 'Das konnte nicht geladen werden',
    unreachable: 'Picket antwortet nicht. Die Seite versucht es alle paar Sekunden wieder.',
    unavailable:
      'Picket kann seine Datenbank gerade nicht lesen. Die Prüfungen laufen weiter, Ergebnisse bleiben erhalten. Die Seite versucht es wieder.',
    forbidden: 'Ihre Rolle in diesem Arbeitsbereich erlaubt das nicht. Fragen Sie einen Inhaber oder Administrator.',
    emailNotConfirmed: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Wie das geht, steht oben auf dieser Seite.',
    fields: 'Es wurde noch nichts gespeichert. Berichtigen Sie, was markiert ist, und versuchen Sie es noch einmal.',
    notConfirmed:
      'Sie haben nicht bestätigt, dass Sie es sind. Es wurde nichts geändert. Versuchen Sie es noch einmal und bestätigen Sie mit Passwort, Code oder Passkey.',
    rateLimited: 'Zu viele Anfragen in dieser Minute. Die Seite versucht es von selbst wieder.',
    tryAgain: 'Noch einmal versuchen',
    trying: 'Neuer Versuch …',
    look: 'In einem neuen Tab nachsehen',
    loggedOut: 'Ihre Sitzung ist beendet. Melden Sie sich wieder an und wiederholen Sie es.',
    changedMeanwhile:
      'Jemand anders hat das inzwischen geändert. Von Ihnen wurde nichts gespeichert. Sehen Sie es sich an und versuchen Sie es noch einmal.',
    failed: (detail) => (detail === '' ? 'Die Anfrage ist fehlgeschlagen. Versuchen Sie es noch einmal.' : detail),
    loadFailed: (requestId) =>
      `Picket konnte nicht antworten. Die Seite versucht es weiter.${requestId === '' ? '' : ` Wenn das so bleibt, nennen Sie dem Betreiber die Nummer der Anfrage: ${requestId}.`}`,
    action: {
      unreachable:
        'Picket hat nicht geantwortet, es ist also wahrscheinlich nichts geschehen. Sobald es wieder antwortet, prüfen Sie, ob es doch geschehen ist. Wenn nicht, versuchen Sie es noch einmal.',
      answersAgain:
        'Picket antwortet jetzt wieder. Vorher hat es nicht geantwortet, es ist also wahrscheinlich nichts geschehen. Prüfen Sie, ob es doch geschehen ist. Wenn nicht, versuchen Sie es noch einmal.',
      rateLimited: (wait) =>
        `Es wurde nichts geändert: zu viele Anfragen in dieser Minute. Versuchen Sie es in ${wait} noch einmal.`,
      unavailable: (wait) =>
        `Picket erreicht seine Datenbank gerade nicht, es ist also wahrscheinlich nichts geschehen. Prüfen Sie in ${wait}, ob es doch geschehen ist. Wenn nicht, versuchen Sie es noch einmal.`,
      failed: (requestId) =>
        `Dabei ist in Picket ein Fehler aufgetreten, es ist also wahrscheinlich nichts geschehen. Prüfen Sie, ob es doch geschehen ist. Wenn nicht, versuchen Sie es noch einmal.${requestId === '' ? '' : ` Wenn das so bleibt, nennen Sie dem Betreiber die Nummer der Anfrage: ${requestId}.`}`,
    },
  },
  broken: {
    title: 'Diese Seite lässt sich nicht anzeigen',
    text: 'Picket hat beim Aufbau der Seite einen Fehler gemacht. Laden Sie sie neu. Wenn das nicht hilft, nennen Sie dem Betreiber dieser Installation die Adresse der Seite.',
    reload: 'Neu laden',
  },
  notFound: {
    title: 'Diese Seite gibt es nicht',
    text: 'Vielleicht ist die Adresse falsch geschrieben, oder das Gezeigte wurde gelöscht.',
    toOverview: 'Zur Übersicht',
    toList: (list) => `„${list}“ öffnen`,
    elsewhere: 'Gehört es zu einem anderen Ihrer Arbeitsbereiche? Öffnen Sie diesen:',
  },
  status: {
    up: 'verfügbar',
    degraded: 'beeinträchtigt',
    down: 'ausgefallen',
    paused: 'pausiert',
    unknown: 'unbekannt',
    no_probe: 'keine Sonde',
    firing: 'offen',
    resolved: 'behoben',
    silenced: 'stumm',
    acknowledged: 'bestätigt',
    critical: 'kritisch',
    warning: 'Warnung',
    info: 'Hinweis',
  },
  overview: {
    title: 'Übersicht',
    allUp: (count) => (count === 1 ? 'Der Monitor ist verfügbar.' : `Alle ${monitors(count)} sind verfügbar.`),
    allUpButPaused: (up, paused) => `Alles in Ordnung: ${monitors(up)} verfügbar, ${paused} pausiert.`,
    oneDown: (name, since, lasted) => `${name} ist seit ${since} ausgefallen (${lasted}).`,
    manyDown: (count) => `${monitors(count)} sind ausgefallen.`,
    silenced: (count) => `${plural(count, { one: 'Vorfall ist', other: 'Vorfälle sind' })} stummgeschaltet.`,
    otherProblem: (count) => `${plural(count, { one: 'Vorfall ist', other: 'Vorfälle sind' })} offen.`,
    allPaused: 'Alle Monitore sind pausiert. Nichts wird geprüft.',
    broken: 'Jetzt gestört',
    timeline: 'Letzte 24 Stunden',
    quiet: 'In den letzten 24 Stunden ist nichts passiert.',
    counts: {
      up: 'verfügbar',
      degraded: 'beeinträchtigt',
      down: 'ausgefallen',
      paused: 'pausiert',
      unknown: 'noch nicht geprüft',
    },
    since: (lasted) => `seit ${dative(lasted)}`,
    more: (count) => `und ${count} weitere`,
    together: {
      monitors: (count) => `${shown(count)} Monitore`,
      down: 'Gleichzeitig ausgefallen.',
    },
    reported: (error) => `Die Standorte meldeten ${error}.`,
    onlyRecords: 'Die neuesten Einträge sind Anmeldungen und andere Aufzeichnungen, die hier nicht gezeigt werden.',
    andMore: 'Und mehr:',
    allIncidents: 'alle Vorfälle',
    someWaiting: (up, all, waiting, paused) =>
      all === 1
        ? 'Der Monitor wartet auf das erste Ergebnis.'
        : `${up} von ${plural(all, { one: 'Monitor', other: 'Monitoren' })} ${up === 1 ? 'ist' : 'sind'} erreichbar, ${waiting} ${waiting === 1 ? 'wartet' : 'warten'} auf das erste Ergebnis${paused === 0 ? '' : `, ${paused} pausiert`}.`,
    someDegraded: (up, degraded, paused) =>
      `${up === 1 ? 'Der Monitor ist verfügbar, schlägt aber' : `${monitors(up)} sind verfügbar, aber ${degraded} davon ${degraded === 1 ? 'schlägt' : 'schlagen'}`} von einigen Standorten aus fehl${paused === 0 ? '' : `; ${paused} pausiert`}.`,
    servers: (all, offline) =>
      offline.count > 0
        ? all === 1
          ? 'Der Server ist offline.'
          : `${shown(offline)} von ${plural(all, { one: 'Server', other: 'Servern' })} ${offline.count === 1 ? 'ist' : 'sind'} offline.`
        : all === 1
          ? 'Der Server ist online.'
          : `Alle ${plural(all, { one: 'Server', other: 'Server' })} sind online.`,
    targets: (all, listed, unknown) =>
      listed.count > 0
        ? all === 1
          ? 'Die Adresse steht auf einer Sperrliste.'
          : `${shown(listed)} von ${plural(all, { one: 'Adresse', other: 'Adressen' })} ${listed.count === 1 ? 'steht' : 'stehen'} auf einer Sperrliste.`
        : unknown.count === 0
          ? 'Keine Adresse steht auf einer Sperrliste.'
          : unknown.count >= all
            ? `Ob ${plural(all, { one: 'Adresse auf einer Sperrliste steht', other: 'Adressen auf einer Sperrliste stehen' })}, ist nicht bekannt.`
            : `Soweit bekannt, steht keine Adresse auf einer Sperrliste; über ${shown(unknown)} ist nichts bekannt.`,
    allMonitors: 'Alle Monitore',
    filling: {
      title: 'Platten, die volllaufen',
      fullIn: (left) => `in ${dative(left)} voll`,
      sentence: (count) =>
        `${plural(count, { one: 'Server hat', other: 'Server haben' })} eine Platte, die in den nächsten 24 Stunden voll wird.`,
    },
    watched: 'Was überwacht wird',
    monitorCount: (count) => monitors(count),
    noMonitors: 'Noch keine Monitore.',
    uptime: (uptime, coverage) => `Verfügbarkeit in 30 Tagen: ${uptime} (${coverage} beobachtet)`,
    serverCount: (count) => plural(count, { one: 'Server', other: 'Server' }),
    offline: (offline) => (offline.count === 0 ? 'keiner offline' : `${shown(offline)} offline`),
    targetCount: (count) =>
      plural(count, { one: 'Adresse auf Sperrlisten geprüft', other: 'Adressen auf Sperrlisten geprüft' }),
    listed: (listed) => (listed.count === 0 ? 'keine gelistet' : `${shown(listed)} gelistet`),
    unknown: (targets) => `${shown(targets)} unbekannt`,
  },
  watch: {
    title: 'Was sollen wir überwachen?',
    lead: 'Eine Webseite, einen Port oder einen Rechner. Picket prüft von mehreren Standorten aus und alarmiert Sie, wenn genug davon sich einig sind, dass etwas ausgefallen ist.',
    target: 'Adresse',
    placeholder: 'https://shop.example, db.example:5432 oder 203.0.113.7',
    suggest: 'Weiter',
    nothing: 'Geben Sie eine Adresse ein, zum Beispiel https://shop.example.',
    badPort: 'Der Port muss eine Zahl von 1 bis 65535 sein.',
    badAddress: 'Das ist weder eine URL noch Host:Port oder ein Hostname. Prüfen Sie auf Leerzeichen und Tippfehler.',
    name: 'Name',
    type: 'Art der Prüfung',
    types: { http: 'HTTP', tcp: 'TCP-Port', ping: 'Ping' },
    typeHelp: {
      http: 'Lädt die Seite und erwartet Status 200.',
      tcp: 'Verbindet sich mit dem Port.',
      ping: 'Sendet ICMP-Echo-Anfragen.',
    },
    certificateToo: 'Auch das Zertifikat wird geprüft.',
    interval: 'Intervall',
    create: 'Überwachen',
    change: 'Adresse ändern',
    checking: (name, answered, all) =>
      `${name} wird geprüft: ${answered} von ${locations(all)} ${answered === 1 ? 'hat' : 'haben'} geantwortet.`,
    isUp: (name, up, all) =>
      up === all
        ? `${name} ist von ${all === 1 ? '1 Standort' : `allen ${locations(all)}`} verfügbar.`
        : `${name} ist von ${up} von ${locations(all)} verfügbar.`,
    isDown: (name, down, all) =>
      `${name} antwortet von ${down} von ${locations(all)} nicht wie erwartet. Picket prüft weiter und eröffnet einen Vorfall, sobald genug Standorte übereinstimmen.`,
    created: 'Der Monitor ist gespeichert und wird ab jetzt geprüft.',
    open: 'Monitor öffnen',
    another: 'Noch etwas überwachen',
    remove: 'Wieder entfernen',
    viewerOnly: 'Ihre Rolle darf keine Monitore anlegen. Fragen Sie ein Mitglied des Arbeitsbereichs.',
  },
  monitors: {
    days: (count) => plural(count, { one: 'Tag', other: 'Tage' }),
  },
  monitor: {
    notFound: 'Diesen Monitor gibt es nicht. Vielleicht wurde er gelöscht.',
    sentence: {
      up: (since, lasted) => `Verfügbar seit ${since} (${lasted}).`,
      down: (since, lasted) => `Ausgefallen seit ${since} (${lasted}).`,
      paused: (since) => `Pausiert seit ${since}. Bis zur Fortsetzung wird nichts geprüft.`,
      unknown: 'Das erste Ergebnis steht noch aus.',
    },
    checked: (ago, interval, locations) =>
      `Geprüft vor ${dative(ago)}, ${every(interval)} von ${plural(locations, { one: 'Standort', other: 'Standorten' })}.`,
    checkNow: 'Jetzt prüfen',
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    delete: 'Löschen',
    deleteTitle: (name) => `${name} löschen?`,
    uptime: 'Verfügbarkeit',
    windows: { '24h': '24 Stunden', '7d': '7 Tage', '30d': '30 Tage' },
    observed: (coverage) => `${coverage} beobachtet`,
    leftOut: (time) => `${time} geplante Wartung ausgelassen`,
    leftOutHelp:
      'Diese Wartung zählt nach der Einstellung ihres Fensters nicht in der Verfügbarkeit: Sie ist weder verfügbar noch ausgefallen. Beobachtet wurde sie trotzdem.',
    observedHelp:
      'Beobachtet ist der Teil der Zeit, für den Picket Ergebnisse von Prüfungen hat. Die Zeit, bevor der Monitor hinzugefügt wurde, Pausen und Zeiten ohne verbundene Sonde zählen weder als verfügbar noch als ausgefallen.',
    noUptime: 'noch kein Wert',
    locations: 'Standorte',
    response: 'Antwortzeit',
    median: 'Median der Standorte',
    certificate: 'Zertifikat',
    incidents: 'Vorfälle',
    noIncidents: 'Keine Vorfälle.',
    results: 'Neueste Ergebnisse',
    noResults: 'Noch keine Ergebnisse.',
    columns: { time: 'Zeit', location: 'Standort', result: 'Ergebnis', response: 'Antwortzeit', phases: 'Phasen' },
    phases: {
      dns_ms: 'DNS',
      connect_ms: 'Verbindung',
      tls_ms: 'TLS',
      ttfb_ms: 'erstes Byte',
      transfer_ms: 'Übertragung',
    },
    retried: 'wiederholt',
    settings: 'Einstellungen',
    limited: 'Der Tarif begrenzt diesen Monitor: Er wird seltener oder von weniger Standorten geprüft als eingestellt.',
    labels: {
      type: 'Art',
      url: 'Adresse',
      interval: 'Intervall',
      timeout: 'Zeitlimit',
      locations: 'Standorte',
      confirmations: 'Bestätigungen',
      retries: 'Wiederholungen',
      method: 'Methode',
      status: 'Erwarteter Status',
      keyword: 'Antwort muss enthalten',
      keywordAbsent: 'Antwort darf nicht enthalten',
      tags: 'Tags',
      runbook: 'Runbook',
      channels: 'Benachrichtigt',
      created: 'Erstellt',
    },
    majority: 'Mehrheit der Standorte',
    allChannels: 'alle Kanäle',
    channelCount: (count) => plural(count, { one: 'Kanal', other: 'Kanäle' }),
  },
  incidents: {
    title: 'Vorfälle',
    filter: 'Status',
    all: 'Alle',
    firing: 'Offen',
    resolved: 'Behoben',
    silenced: 'Stumm',
    noneFiring: 'Kein Vorfall ist offen.',
    countFiring: (count) => `${plural(count, { one: 'Vorfall ist', other: 'Vorfälle sind' })} offen.`,
    empty: 'Keine Vorfälle. Picket eröffnet einen, wenn genug Standorte sich einig sind, dass etwas ausgefallen ist.',
    more: 'Ältere Vorfälle zeigen',
    lasted: (time) => `dauerte ${time}`,
    for: (time) => `seit ${time}`,
    acknowledgedBy: (who) => `bestätigt von ${who}`,
    moreFiring: (count) => `Mehr als ${plural(count, { one: 'Vorfall ist', other: 'Vorfälle sind' })} offen.`,
  },
  incident: {
    notFound: 'Diesen Vorfall gibt es nicht. Vielleicht gehört er zu einem anderen Arbeitsbereich.',
    toList: 'Alle Vorfälle',
    isDown: (name, since, lasted) => `${name} ist seit ${since} ausgefallen (${lasted})`,
    wasDown: (name, from, lasted) => `${name} war ${lasted} lang ausgefallen, ab ${from}`,
    acknowledge: 'Bestätigen',
    resolve: 'Als behoben markieren',
    acknowledged: (who, at) => `${who} hat den Vorfall ${at} bestätigt. Erinnerungen und Eskalation sind beendet.`,
    openMonitor: 'Monitor öffnen',
    openObject: 'Seite dazu öffnen',
    runbook: 'Runbook öffnen',
    why: 'Warum dieser Alarm?',
    votes: 'Stimmen der Standorte',
    timeline: 'Zeitlinie',
    notifications: 'Benachrichtigungen',
    noNotifications: 'Es wurde niemand benachrichtigt.',
    sendStatus: {
      pending: 'unterwegs',
      sent: 'gesendet',
      failed: 'fehlgeschlagen',
      skipped: 'ausgelassen',
      unconfirmed: 'nicht bestätigt',
    },
    record: 'Entscheidungsprotokoll als JSON',
    confirmedBy: (down, valid, needed) =>
      `${down} von ${locations(valid)} ${down === 1 ? 'hatte' : 'hatten'} den Ausfall bestätigt, als entschieden wurde (${needed} nötig).`,
    reported: (error, where) => `${list(where)} ${where.length === 1 ? 'meldete' : 'meldeten'} ${error}.`,
    failingToo: (where, why) => `Auch von ${list(where)} schlug die Prüfung fehl; ${why(where.length)}.`,
    notYet: {
      retrying: (count) => `${count === 1 ? 'der Standort versuchte' : 'die Standorte versuchten'} es noch einmal`,
      doubted: () => 'das zählte nicht, weil das Netz dort die Ursache sein kann',
    },
    working: (where) => `${list(where)} ${where.length === 1 ? 'meldete' : 'meldeten'} den Monitor als verfügbar.`,
    noVote: (where, reason) => `${where} zählte nicht: ${reason}.`,
    retries: (count) =>
      `Jeder Standort versuchte es ${count === 1 ? 'noch einmal' : `noch ${count}-mal`}, bevor sein Fehler zählte.`,
    firstFailed: (at) => `Die erste Prüfung schlug ${at} fehl.`,
    confirmed: (at, later) => `Der Ausfall war ${at} bestätigt, ${later} später.`,
    notified: (channel, at) => `Die erste Benachrichtigung (${channel}) wurde ${at} angenommen.`,
    notCounted: {
      stale: 'das letzte Ergebnis war zu alt',
      no_result: 'es gab noch kein Ergebnis',
      no_probe: 'keine Sonde war verbunden',
      quarantined: 'das Netz des Standorts selbst schien gestört',
      late: 'das Ergebnis kam zu spät',
      retrying: 'der Standort versuchte es noch einmal',
      doubted: 'das eigene Netz kann die Ursache sein',
    },
    voteUp: (ms) => `verfügbar, ${milliseconds(ms)}`,
    voteDown: 'ausgefallen',
    voteNone: 'keine Stimme',
  },
  errors: {
    dns_failure: 'einen DNS-Fehler',
    connection_refused: 'eine abgelehnte Verbindung',
    connection_reset: 'einen Verbindungsabbruch',
    connect_timeout: 'eine Zeitüberschreitung beim Verbinden',
    tls_handshake: 'einen fehlgeschlagenen TLS-Handshake',
    tls_untrusted: 'ein nicht vertrauenswürdiges Zertifikat',
    tls_expired: 'ein abgelaufenes Zertifikat',
    tls_name_mismatch: 'ein Zertifikat für einen anderen Namen',
    response_timeout: 'keine rechtzeitige Antwort',
    status_mismatch: 'einen unerwarteten HTTP-Status',
    keyword_missing: 'ein fehlendes Stichwort',
    keyword_present: 'ein verbotenes Stichwort',
    too_many_redirects: 'zu viele Weiterleitungen',
    response_too_large: 'eine zu große Antwort',
    blocked_target: 'eine gesperrte Adresse',
    packet_loss: 'Paketverlust',
    unreachable: 'ein nicht erreichbares Ziel',
    protocol_error: 'einen Protokollfehler',
  },
  seconds: (count) => duration(count * 1_000),
};
