export const en = {
  live: 'Live',
  polled: 'Updated every 10 s',
  waiting: 'Waiting for an answer',
  loggedOut: 'Logged out',
  loggedOutSince: (time: string) => `Logged out, data from ${time}`,
  elsewhere: 'Another workspace is open',
  elsewhereSince: (time: string) => `Another workspace is open, data from ${time}`,
  logIn: 'Log in',
  unreachable: 'Picket does not answer',
  updating: (time: string) => `Updating, data from ${time}`,
  reconnecting: (time: string) => `Reconnecting, data from ${time}`,
  connecting: 'Connecting',
};
