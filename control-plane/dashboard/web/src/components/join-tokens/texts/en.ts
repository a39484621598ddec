export const en = {
  title: 'Open join tokens',
  text: 'Whoever has the command of one of these tokens can join once. A token ends when it expires, and when the person who created it may not create one any more.',
  by: (email: string | null) => (email === null ? 'Created on the command line' : `Created by ${email}`),
  expires: 'Expires',
  more: 'Show more',
  revoke: 'Revoke',
  revokeTitle: 'Revoke this join token?',
  revokeText: 'Its command lets nothing join any more.',
  revoked: 'Join token revoked.',
};
