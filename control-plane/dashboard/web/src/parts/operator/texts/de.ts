import { number, plural } from '../../../texts/format.ts';
import { dative } from '../../../texts/german.ts';
import type { en } from './en.ts';

const probes = (count: number) => plural(count, { one: 'Sonde', other: 'Sonden' });
const results = (count: number) => plural(count, { one: 'Ergebnis', other: 'Ergebnisse' });

export const de: typeof en = {
  only: { title: 'Für Betreiber', text: 'Diese Seite sehen nur die Betreiber dieser Installation.' },
  more: 'Mehr zeigen',
  probes: {
    title: 'Sonden',
    add: 'Sonde hinzufügen',
    none: 'Keine Sonde ist verbunden, also wird nichts geprüft.',
    allConnected: (count) => (count === 1 ? 'Die Sonde ist verbunden.' : `Alle ${probes(count)} sind verbunden.`),
    lost: (lost, connected) => `${probes(lost)} getrennt, ${number(connected)} verbunden.`,
    purpose:
      'Eine Sonde prüft die Monitore ihres Standorts. Sie braucht dort einen kleinen Linux-Server und öffnet eine Verbindung zu Picket.',
    showRevoked: 'Widerrufene Sonden zeigen',
    states: { connected: 'verbunden', disconnected: 'getrennt', drained: 'stillgelegt', revoked: 'widerrufen' },
    version: (version) => `Version ${version}`,
    seen: (ago) => `letzter Kontakt vor ${dative(ago)}`,
    neverSeen: 'noch kein Kontakt',
    assignments: (count) => plural(count, { one: 'Monitor', other: 'Monitore' }),
    spoolEmpty: 'alles geliefert',
    spool: (count, age) =>
      `${results(count)} noch nicht geliefert, ${count === 1 ? 'es' : 'das älteste'} ist ${age} alt`,
    onTheirWay: (count) => `${results(count)} unterwegs`,
    late: (ms) => `99 % der Prüfungen beginnen höchstens ${ms} zu spät`,
    canariesFail: 'Kein Kontrollziel antwortet: Das Netz dieser Sonde ist vielleicht gestört.',
    dropped: (count) => `${results(count)} verloren, weil die Platte der Sonde voll war.`,
    drain: 'Stilllegen',
    undrain: 'Wieder einsetzen',
    drained: (name) => `${name} hört auf zu prüfen und liefert, was noch aussteht.`,
    revoke: 'Widerrufen',
    revokeTitle: (name) => `${name} widerrufen?`,
    revokeText:
      'Picket schließt die Verbindung binnen einer Minute und nimmt den Schlüssel der Sonde nie wieder an. Um den Rechner wieder zu verwenden, lassen Sie ihn als neue Sonde beitreten. Das lässt sich nicht rückgängig machen.',
    revoked: (name) => `${name} ist widerrufen.`,
  },
  join: {
    title: 'Sonde hinzufügen',
    text: 'Picket erzeugt einen Befehl für den neuen Rechner. Er gilt für eine Sonde, 24 Stunden lang.',
    location: 'Standort',
    create: 'Befehl erzeugen',
    cancel: 'Abbrechen',
    paste: 'Fügen Sie diesen Befehl in eine Root-Shell des Rechners ein. Er ist nur jetzt zu sehen.',
    line: 'Befehl, der die Sonde installiert und beitreten lässt',
    expires: 'Gültig bis',
    waiting: 'Warten, bis die Sonde beitritt …',
    joined: 'beigetreten:',
    close: 'Schließen',
  },
  locations: {
    title: 'Standorte',
    add: 'Standort hinzufügen',
    empty: 'Noch kein Standort. Monitore werden von Standorten aus geprüft, jeder mit einer oder mehreren Sonden.',
    allWell: (count) =>
      count === 1
        ? 'Der Standort hat eine verbundene Sonde.'
        : `Alle ${plural(count, { one: 'Standort', other: 'Standorte' })} haben eine verbundene Sonde.`,
    someSilent: (count) =>
      `${plural(count, { one: 'Standort hat', other: 'Standorte haben' })} keine verbundene Sonde.`,
    someQuarantined: (count) =>
      `${plural(count, { one: 'Standort ist', other: 'Standorte sind' })} in Quarantäne: Das Netz dort scheint gestört, die Stimmen zählen nicht.`,
    quarantined: 'in Quarantäne, die Stimmen zählen nicht',
    probes: (count) => (count === 0 ? 'keine verbundene Sonde' : `${probes(count)} verbunden`),
    canaries: (count) =>
      count === 0 ? 'keine Kontrollziele' : plural(count, { one: 'Kontrollziel', other: 'Kontrollziele' }),
    edit: 'Bearbeiten',
    delete: 'Löschen',
    deleteTitle: (city) => `${city} löschen?`,
    deleteText: 'Das geht nur, solange kein Monitor von hier aus geprüft wird und keine Sonde hier ist.',
    deleted: (city) => `${city} ist gelöscht.`,
    added: (city) => `${city} ist hinzugefügt. Fügen Sie dort als Nächstes eine Sonde hinzu.`,
    saved: (city) => `${city} ist gespeichert.`,
    create: 'Standort hinzufügen',
    save: 'Speichern',
    cancel: 'Abbrechen',
    labels: { city: 'Stadt', region: 'Region', canary_targets: 'Kontrollziele' },
    fields: {
      code: 'Kürzel',
      codeHelp: 'Zwei bis acht kleine Buchstaben oder Ziffern, zum Beispiel fra. Es lässt sich später nicht ändern.',
      city: 'Stadt',
      region: 'Region',
      regionHelp: 'Zum Beispiel EU-Central.',
      canaries: 'Kontrollziele',
      canariesHelp:
        'Ziele, die immer funktionieren, eines in jeder Zeile: eine URL, tcp://host:port oder ein Host für Ping. Wenn alle ausfallen, ist das Netz des Standorts selbst gestört.',
    },
  },
  workspaces: {
    title: 'Arbeitsbereiche',
    sentence: (count, more) =>
      more
        ? `Mehr als ${number(count)} Arbeitsbereiche.`
        : `${plural(count, { one: 'Arbeitsbereich', other: 'Arbeitsbereiche' })}.`,
    search: 'Name, ID oder E-Mail-Adresse eines Mitglieds',
    plan: 'Tarif',
    anyPlan: 'Alle Tarife',
    state: 'Zustand',
    anyState: 'Aktive und gesperrte',
    onlySuspended: 'Gesperrte',
    onlyRunning: 'Aktive',
    noneMatches: 'Kein Arbeitsbereich passt zu diesem Filter.',
    created: 'angelegt',
    suspended: 'gesperrt',
    beingDeleted: 'wird gelöscht',
  },
  workspace: {
    back: 'Alle Arbeitsbereiche',
    runs: (plan) => `Läuft mit dem Tarif ${plan}.`,
    suspendedFor: (reason) => `Gesperrt: ${reason}`,
    deletedAt: (at) => `Einer der Inhaber hat ihn gelöscht. Die Daten werden am ${at} gelöscht.`,
    facts: { id: 'ID', plan: 'Tarif', created: 'Angelegt', subscription: 'Abonnement', suspended: 'Gesperrt seit' },
    noSubscription: 'keines',
    limits: 'Grenzen',
    what: 'Was',
    used: 'Benutzt',
    limit: 'Grenze',
    noLimit: 'keine Grenze',
  },
  plan: {
    title: 'Tarif',
    plan: 'Tarif des Arbeitsbereichs',
    save: 'Tarif setzen',
    saveAnyway: 'Tarif trotzdem setzen',
    over: (plan) => `Der Arbeitsbereich hat mehr, als ${plan} erlaubt:`,
    set: (name, plan) => `${name} hat den Tarif ${plan}.`,
  },
  suspension: {
    title: 'Sperre',
    text: 'Prüfungen, Benachrichtigungen und Agenten des Arbeitsbereichs halten binnen 30 Sekunden an. Alle Daten bleiben.',
    reason: 'Grund',
    reasonHelp: 'Die Mitglieder des Arbeitsbereichs sehen ihn bei jeder Anfrage. Schreiben Sie, was sie tun können.',
    suspend: 'Arbeitsbereich sperren',
    suspended: (name) => `${name} ist gesperrt.`,
    resumeText:
      'Danach laufen Prüfungen, Benachrichtigungen und Agenten wieder. Server haben zwei Minuten, um sich zu verbinden.',
    resume: 'Sperre aufheben',
    resumed: (name) => `${name} läuft wieder.`,
  },
  health: {
    title: 'Zustand von Picket',
    ready: (connected) =>
      `Picket ist bereit: Die Datenbank antwortet, und ${plural(connected, { one: 'Sonde ist', other: 'Sonden sind' })} verbunden.`,
    noProbe: 'Picket ist bereit, aber keine Sonde ist verbunden, also wird nichts geprüft.',
    notReady: (why) => why,
    probes: 'Sonden',
    noneLost: 'Jede Sonde ist verbunden.',
    lost: (count) => `${count === 1 ? '1 Sonde ist' : `${number(count)} Sonden sind`} getrennt.`,
    nothingWaits: 'Die Sonden haben jedes Ergebnis geliefert.',
    waits: (count) => `${results(count)} noch nicht geliefert.`,
    onTheirWay: (count) => `${results(count)} unterwegs.`,
    nothingDropped: 'Kein Ergebnis ging verloren.',
    dropped: (count) => `${results(count)} verloren, weil die Platte einer Sonde voll war.`,
    allProbes: 'Sonden öffnen',
    locations: 'Standorte',
    noProbeHere: 'hat keine verbundene Sonde, von hier wird also nichts geprüft.',
    probesHere: (count) => `hat ${count === 1 ? 'eine verbundene Sonde' : `${number(count)} verbundene Sonden`}.`,
    late: (ms) => `In der letzten Stunde begannen 99 % der Prüfungen höchstens ${ms} zu spät.`,
    delay: (ms) => `In der letzten Stunde waren 99 % der Vorfälle innerhalb von ${ms} nach dem ersten Fehler eröffnet.`,
    quarantined: 'In Quarantäne: Ihr eigenes Netz scheint gestört, ihre Stimmen zählen nicht.',
    ok: 'In Ordnung',
    look: 'Bitte ansehen',
    lookAt: (count) =>
      count === 1 ? 'Eine Zeile unten sollten Sie ansehen.' : `${number(count)} Zeilen unten sollten Sie ansehen.`,
    controlPlanes: 'Control Planes',
    plane: (version) => `Picket ${version}`,
    runsSince: (since, seen) => `Läuft seit ${since}, zuletzt gehört um ${seen}.`,
    lostSince: (seen) =>
      `Nicht mehr gehört seit ${seen}: Sie wurde abgebrochen oder erreicht die Datenbank nicht. Läuft eine andere an ihrer Stelle, ist nichts zu tun. Diese Zeile verschwindet nach einer Stunde.`,
    stoppedAt: (seen) => `Ordnungsgemäß beendet um ${seen}.`,
    clock: (offset, sign) =>
      sign === 0
        ? 'Ihre Uhr stimmt mit der Uhr der Datenbank überein.'
        : `Ihre Uhr geht ${offset} ${sign > 0 ? 'vor' : 'nach'}, verglichen mit der Uhr der Datenbank; bis zu einer Sekunde ist in Ordnung.`,
    streams: (dashboards, nodes) =>
      `Da bediente sie ${plural(dashboards, { one: 'offenes Dashboard', other: 'offene Dashboards' })} und ${plural(nodes, { one: 'Sonde oder Agent', other: 'Sonden und Agenten' })}.`,
    tasks: (names) =>
      names.length === 0
        ? 'Erledigt keine der Aufgaben, die immer nur eine Control Plane erledigt.'
        : `Erledigt ${names.length === 1 ? 'eine' : number(names.length)} der Aufgaben, die immer nur eine Control Plane erledigt.`,
    taskNames: 'Ihre Namen im Protokoll',
    database: 'Datenbank',
    latency: (ms) => `Das primäre Mitglied hat in ${ms} geantwortet.`,
    member: (state, lag) =>
      state === 'PRIMARY'
        ? 'ist das primäre Mitglied.'
        : lag === null
          ? `folgt dem primären Mitglied nicht; sein Zustand ist ${state}.`
          : `ist ${lag} hinter dem primären Mitglied; sein Zustand ist ${state}.`,
    noMembers:
      'Die Mitglieder des Replica Sets werden nicht gezeigt, weil dem Datenbankbenutzer von Picket die Rolle clusterMonitor fehlt.',
    backlogs: 'Was wartet',
    waiting: {
      notifications: (count, shown) =>
        count === 0
          ? 'Keine Benachrichtigung wartet.'
          : `${shown} ${count === 1 ? 'Benachrichtigung wartet' : 'Benachrichtigungen warten'} auf Versand, Wiederholung oder Erinnerung.`,
      mails: (count, shown) =>
        count === 0
          ? 'Keine E-Mail zu einem Konto wartet.'
          : `${shown} ${count === 1 ? 'E-Mail zu einem Konto wartet' : 'E-Mails zu Konten warten'} auf den Versand.`,
      audit_forwarding: (count, shown) =>
        count === 0
          ? 'Jeder Audit-Eintrag hat seine Empfänger erreicht.'
          : `${shown} ${count === 1 ? 'Audit-Eintrag wartet' : 'Audit-Einträge warten'} auf einen Empfänger.`,
      bulk_changes: (count, shown) =>
        count === 0
          ? 'Keine Sammeländerung wird angewendet.'
          : `${shown} ${count === 1 ? 'Sammeländerung wird' : 'Sammeländerungen werden'} angewendet.`,
      client_reports: (count, shown) =>
        count === 0
          ? 'Kein Bericht wartet.'
          : `${shown} ${count === 1 ? 'Bericht wartet' : 'Berichte warten'} darauf, erstellt zu werden.`,
      status_page_updates: (count, shown) =>
        count === 0
          ? 'Keine Statusseite hat Neuigkeiten für ihre Abonnenten.'
          : `${shown} ${count === 1 ? 'Statusseite hat' : 'Statusseiten haben'} Neuigkeiten für Abonnenten.`,
      results: (count, shown) =>
        count === 0
          ? 'Jedes Ergebnis ist Teil des Verlaufs.'
          : `${shown} ${count === 1 ? 'Ergebnis wartet' : 'Ergebnisse warten'} darauf, Teil des Verlaufs zu werden. Das geschieht alle fünf Minuten.`,
    },
    otherWaiting: (name) => (_count, shown) => `${shown} wartend: ${name}.`,
    oldest: (age, usual) => `Am längsten gewartet: ${age}; bis zu ${usual} ist üblich.`,
    controlPlane: 'Die Control Plane, die geantwortet hat',
    noMetrics:
      'Die Metriken der Control Plane sind für diesen Browser nicht offen. Ihre Überwachung kann sie unter /metrics vom selben Host aus lesen, oder mit dem Token von PICKET_METRICS_TOKEN.',
    metrics: {
      nodejs_eventloop_lag_p99_seconds: (value) =>
        `Andere Arbeit verzögert 1 % ihrer Aufgaben um mehr als ${value}; bis zu 250 ms ist üblich.`,
      picket_control_plane_stalls_total: (value, count) =>
        count === 0
          ? 'Sie konnte seit ihrem Start immer laufen.'
          : `Sie konnte seit ihrem Start ${count === 1 ? 'einmal' : `${value}-mal`} nicht laufen: Die Maschine hat zu wenig Prozessorzeit oder war angehalten.`,
      process_resident_memory_bytes: (value) => `Sie belegt ${value} Speicher; bis zu 1.024 MiB ist üblich.`,
    },
  },
};
