import type { PageWords } from './words.js';

const count = (number: number, one: string, other: string) => `${number} ${number < 2 ? one : other}`;

export const fr: PageWords = {
  overall: {
    operational: 'Tous les systèmes sont disponibles',
    maintenance: 'Une maintenance est en cours',
    not_known: "L'état de certains systèmes est inconnu",
    degraded: 'Certains systèmes sont dégradés',
    partial_outage: 'Certains systèmes sont en panne',
    major_outage: 'Tous les systèmes sont en panne',
    empty: 'Cette page ne montre encore rien',
  },
  states: {
    operational: 'Disponible',
    maintenance: 'Maintenance',
    not_known: 'Inconnu',
    degraded: 'Dégradé',
    partial_outage: 'Panne partielle',
    outage: 'En panne',
  },
  incidentStates: {
    investigating: "En cours d'analyse",
    identified: 'Cause identifiée',
    monitoring: 'Sous surveillance',
    resolved: 'Résolu',
  },
  currentIncidents: 'Incidents en cours',
  pastIncidents: 'Incidents passés',
  noPastIncidents: (days) => `Aucun incident au cours des ${days} derniers jours.`,
  components: 'Systèmes',
  maintenance: 'Maintenance',
  maintenanceActive: 'En cours',
  maintenancePlanned: 'Prévue',
  outage: (component) => `Panne : ${component}`,
  outageOver: (component) => `Panne terminée : ${component}`,
  outageBegan: (component) => `Système indisponible : ${component}.`,
  outageClosed: (component, duration) => `Incident clos au bout de ${duration} : ${component}.`,
  outageEnded: (component, duration) =>
    `Système de nouveau disponible : ${component}. Durée de la panne : ${duration}.`,
  ratio: (down, of, isMore) => `${down} sur ${isMore ? 'plus de ' : ''}${of}`,
  partState: (ratio) => `${ratio} en panne`,
  partOverall: 'Certains systèmes sont partiellement en panne',
  part: {
    outage: (component, ratio) => `Panne partielle (${ratio}) : ${component}`,
    outageOver: (component, ratio) => `Panne partielle terminée (${ratio}) : ${component}`,
    outageBegan: (component) => `Système partiellement indisponible : ${component}.`,
    outageEnded: (component, ratio, duration) =>
      `Système de nouveau entièrement disponible : ${component}. En panne au même moment : ${ratio} au plus. Durée : ${duration}.`,
  },
  edited: 'modifié',
  allTexts: 'Tous les textes en entier (JSON)',
  calendar: 'Calendrier (iCal)',
  feed: 'Flux Atom',
  affected: (components) => `Systèmes concernés : ${components}`,
  from: (begin, end) => `du ${begin} au ${end}`,
  uptime: (percent) => `${percent} de disponibilité`,
  observed: (percent) => `${percent} observé`,
  notObserved: 'pas encore observé',
  bars: (days) => `${count(days, 'jour', 'jours')} avec panne`,
  barOfDay: (date, uptime, observed) =>
    `${date} : ${uptime === null ? 'non observé' : `${uptime} de disponibilité, ${observed} observé`}`,
  legend: {
    up: 'aucune panne',
    short: "panne de moins d'une heure",
    long: "panne d'une heure ou plus",
    none: 'non observé',
  },
  daysAgo: (days) => `Il y a ${days} jours`,
  today: "Aujourd'hui",
  asOf: (time, timeZone) => `État au ${time}. Jours et heures du fuseau ${timeZone}.`,
  duration: {
    minutes: (number) => count(number, 'minute', 'minutes'),
    hours: (number) => count(number, 'heure', 'heures'),
    days: (number) => count(number, 'jour', 'jours'),
  },
  notFound: { title: 'Page introuvable', text: "Il n'y a pas de page d'état à cette adresse." },
  unavailable: {
    title: "Cette page n'est pas disponible",
    text: 'Rechargez-la dans quelques secondes.',
  },
  tooMany: { title: 'Trop de mots de passe incorrects', text: 'Réessayez dans une minute.' },
  membersOnly: {
    title: 'Connectez-vous pour voir cette page',
    text: "Seuls les membres de l'espace de travail voient cette page. Connectez-vous à Picket, puis rechargez-la.",
  },
  password: {
    title: 'Cette page exige un mot de passe',
    label: 'Mot de passe',
    button: 'Afficher la page',
    wrong: 'Le mot de passe est incorrect.',
  },
};
