/** The texts of the pages. Arguments and results are HTML where a name ends with `Html`. */
export const en = {
  openPicket: 'Open Picket',
  question: {
    title: 'Do you want these alerts?',
    askedHtml: (askedByHtml: string, workspaceHtml: string, addressHtml: string) =>
      `${askedByHtml} wants Picket to send the alerts of the workspace ${workspaceHtml} to ${addressHtml}.`,
    what: 'You get an e-mail when something fails, when somebody acknowledges it and when it works again. You need no account, and you can stop the e-mails at any time.',
    confirm: 'Get the alerts',
    otherwise: 'If you do not want them, close this page: Picket sends nothing before you confirm.',
  },
  confirmed: {
    title: 'You get the alerts',
    textHtml: (workspaceHtml: string, addressHtml: string) =>
      `From now on, Picket sends the alerts of the workspace ${workspaceHtml} to ${addressHtml}.`,
    stop: 'Each e-mail has a link with which you stop them.',
  },
  stop: {
    title: 'Stop these e-mails?',
    textHtml: (workspaceHtml: string, addressHtml: string) =>
      `Picket then sends nothing of the workspace ${workspaceHtml} to ${addressHtml} any more, alerts included.`,
    button: 'Stop the e-mails',
  },
  stopped: {
    title: 'The e-mails have stopped',
    textHtml: (workspaceHtml: string, addressHtml: string) =>
      `Picket sends nothing of the workspace ${workspaceHtml} to ${addressHtml} any more. The workspace can see that.`,
    resume: 'Get the e-mails again',
  },
  resumed: {
    title: 'You get the e-mails again',
    textHtml: (workspaceHtml: string, addressHtml: string) =>
      `Picket sends the alerts of the workspace ${workspaceHtml} to ${addressHtml} again.`,
  },
  notResumed: {
    title: 'The address is not confirmed',
    textHtml: (workspaceHtml: string, addressHtml: string) =>
      `The e-mails of the workspace ${workspaceHtml} to ${addressHtml} are not stopped any more, but Picket sends them only after you have confirmed the address.`,
    ask: 'Somebody of the workspace can have Picket ask you. You confirm with the link in that e-mail.',
  },
  refused: {
    title: 'This link does not work',
    text: 'It has expired, a newer e-mail has replaced it, or it was not copied completely.',
  },
  tooMany: {
    title: 'Too many links that do not work',
    text: 'Your network has opened too many links that do not work. Try again in a minute. A link that works is not affected.',
  },
  unavailable: {
    title: 'Picket is not available',
    text: 'Its database does not answer. Load this page again in a few seconds.',
  },
};
