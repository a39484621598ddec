import type { SubscriptionWords } from './words.js';

export const en: SubscriptionWords = {
  form: {
    title: 'Updates by e-mail',
    label: 'E-mail address',
    button: 'Subscribe',
    choose: 'Choose systems',
    components: 'Only about these systems',
    help: 'If you choose none, you get updates about all systems.',
    wrong: 'Enter a valid e-mail address.',
  },
  asked: {
    title: 'Check your inbox',
    text: 'If this address does not get these updates yet, an e-mail with a link is on its way. Open the link to confirm the address.',
  },
  tooMany: { title: 'Too many requests', text: 'Try again tomorrow.' },
  confirm: {
    title: 'Confirm your subscription',
    text: (page, address) => `Send updates of ${page} to ${address}?`,
    button: 'Confirm',
  },
  confirmed: {
    title: 'You are subscribed',
    text: (page, address) =>
      `${address} gets the updates of ${page} from now on. Each e-mail has a link to unsubscribe.`,
  },
  full: { title: 'This page has no room for subscribers', text: 'Its owner has reached the limit of subscribers.' },
  stop: {
    title: 'Unsubscribe?',
    text: (page, address) => `${address} then gets no more updates of ${page}.`,
    button: 'Unsubscribe',
  },
  stopped: { title: 'You are unsubscribed', text: 'This address gets no more updates of this page.' },
  refused: {
    title: 'This link does not work',
    text: 'It is not complete, or it has expired. Subscribe again on the status page.',
  },
  unavailable: { title: 'This page is not available', text: 'Load it again in a few seconds.' },
  mail: {
    confirmTitle: (page) => `Confirm your subscription to ${page}`,
    confirmText: (page, until) =>
      `Somebody has entered this address on the status page of ${page}, to get its updates by e-mail. The link works until ${until}.`,
    confirmIgnore: 'If this was not you, ignore this e-mail. Nothing is sent to you without your confirmation.',
    confirmAction: 'Open the page to confirm',
    confirmWhy: (page) => `You get this e-mail because this address was entered on the status page of ${page}.`,
    maintenancePlanned: 'Maintenance is planned',
    maintenanceStarted: 'Maintenance has started',
    maintenanceEnded: 'Maintenance is over',
    state: 'State',
    affected: 'Affected',
    time: 'Time',
    open: 'Open status page',
    more: 'The status page has the whole text.',
    why: (page) => `You get this e-mail because you have subscribed to the status page of ${page}.`,
    stop: 'Unsubscribe',
    copy: 'Or copy this address into your browser:',
  },
};
