export const en = {
  title: 'You were logged out',
  lead: 'Your session has ended. Log in again in a new tab and come back: this page goes on where it is, and what you typed is kept.',
  logIn: 'Log in in a new tab',
  goOn: 'I have logged in, go on',
  checking: 'Looking …',
  notYet: 'You are not logged in yet.',
  elsewhere:
    'You are logged in, but in another workspace. Press “I have logged in, go on” to switch all tabs back to the workspace of this page.',
  stay: 'Not now',
};
