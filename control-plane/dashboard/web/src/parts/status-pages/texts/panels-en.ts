/** The texts of the own host names of a page. */
export const hosts = {
  title: 'Own host names',
  help: 'Visitors can also reach the page under a name of your own, once a DNS record shows that the name is yours.',
  none: 'The page has no host name of its own.',
  name: 'Host name',
  nameHelp: 'For example status.example.com. At most 5.',
  add: 'Add host name',
  added: (name: string) => `${name} is added. Set its DNS records now.`,
  full: 'The page has 5 host names, as many as it can have.',
  verified: 'verified',
  notVerified: 'not verified',
  main: 'Main address of the page',
  by: { txt: 'By the TXT record', cname: 'By the CNAME record' },
  since: (since: string) => `since ${since}.`,
  waiting: 'Picket looks up the records within a minute.',
  missing: (at: string) =>
    `Picket did not find the records when it looked them up ${at}, and does not serve the page under this name. It looks again each minute for the first hour, and each hour after that. DNS servers can keep an old answer for some time.`,
  keep: 'Leave the records in place: Picket looks them up each hour, and the name stops working if they are gone for long.',
  instructions: 'DNS records',
  prove: '1. Add this TXT record, which shows that the name is yours:',
  recordName: (name: string) => `Name of the TXT record of ${name}`,
  recordValue: (name: string) => `Value of the TXT record of ${name}`,
  lead: '2. Let the name lead to Picket with this CNAME record:',
  cname: (name: string) => `Target of the CNAME record of ${name}`,
  cnameAlone: 'The CNAME record alone is enough if no other workspace has the name.',
  leadByAddress: '2. Let the name lead to the IP address of Picket with an A or AAAA record.',
  certificate:
    '3. The web server in front of Picket needs a certificate for the name. Ask the operator of this installation.',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeHelp: 'The page can no longer be reached under this name. Its other addresses stay.',
  removed: (name: string) => `${name} is removed.`,
};

/** The texts of the logo of a page. */
export const logo = {
  title: 'Logo',
  help: 'Above the heading of the page.',
  save: 'Save logo',
  saved: 'The logo is saved. Visitors see it within a few seconds.',
  removed: 'The logo is removed.',
};
