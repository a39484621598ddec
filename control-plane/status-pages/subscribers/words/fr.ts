import type { SubscriptionWords } from './words.js';

export const fr: SubscriptionWords = {
  form: {
    title: 'Nouvelles par e-mail',
    label: 'Adresse e-mail',
    button: "S'abonner",
    choose: 'Choisir des systèmes',
    components: 'Seulement sur ces systèmes',
    help: "Si vous n'en choisissez aucun, vous recevez les nouvelles de tous les systèmes.",
    wrong: 'Saisissez une adresse e-mail valide.',
  },
  asked: {
    title: 'Consultez votre boîte de réception',
    text: 'Si cette adresse ne reçoit pas encore ces nouvelles, un e-mail avec un lien est en route. Ouvrez-le pour confirmer votre adresse.',
  },
  tooMany: { title: 'Trop de demandes', text: 'Réessayez demain.' },
  confirm: {
    title: 'Confirmez votre abonnement',
    text: (page, address) => `Envoyer les nouvelles de ${page} à ${address} ?`,
    button: 'Confirmer',
  },
  confirmed: {
    title: 'Vous êtes abonné',
    text: (page, address) =>
      `${address} reçoit désormais les nouvelles de ${page}. Chaque e-mail contient un lien de désabonnement.`,
  },
  full: {
    title: "Cette page n'accepte plus d'abonnés",
    text: "Son propriétaire a atteint le nombre maximal d'abonnés.",
  },
  stop: {
    title: 'Se désabonner ?',
    text: (page, address) => `${address} ne recevra plus les nouvelles de ${page}.`,
    button: 'Se désabonner',
  },
  stopped: { title: 'Vous êtes désabonné', text: 'Cette adresse ne reçoit plus les nouvelles de cette page.' },
  refused: {
    title: 'Ce lien ne fonctionne pas',
    text: "Il est incomplet ou il a expiré. Abonnez-vous à nouveau sur la page d'état.",
  },
  unavailable: { title: "Cette page n'est pas disponible", text: 'Rechargez-la dans quelques secondes.' },
  mail: {
    confirmTitle: (page) => `Confirmez votre abonnement à ${page}`,
    confirmText: (page, until) =>
      `Quelqu'un a saisi cette adresse sur la page d'état de ${page} pour recevoir ses nouvelles par e-mail. Le lien est valable jusqu'à ${until}.`,
    confirmIgnore: "Si ce n'était pas vous, ignorez cet e-mail. Rien ne vous est envoyé sans votre confirmation.",
    confirmAction: 'Ouvrir la page de confirmation',
    confirmWhy: (page) => `Vous recevez cet e-mail car cette adresse a été saisie sur la page d'état de ${page}.`,
    maintenancePlanned: 'Maintenance prévue',
    maintenanceStarted: 'La maintenance a commencé',
    maintenanceEnded: 'La maintenance est terminée',
    state: 'État',
    affected: 'Systèmes concernés',
    time: 'Heure',
    open: "Ouvrir la page d'état",
    more: "La page d'état contient le texte entier.",
    why: (page) => `Vous recevez cet e-mail car vous êtes abonné à la page d'état de ${page}.`,
    stop: 'Se désabonner',
    copy: 'Ou copiez cette adresse dans votre navigateur :',
  },
};
