import { list, plural } from '../../../texts/format.ts';

/** The texts of the pages about one's own account. */
export const en = {
  account: {
    title: 'Profile',
    signedInAs: (email: string) => `You are logged in as ${email}.`,
  },
  email: {
    title: 'E-mail address',
    current: 'Your address is',
    next: 'New address',
    password: 'Current password',
    change: 'Change address',
    noMail:
      'To change it, you would open a link in an e-mail to the new address. This installation sends no e-mail, so the address stays.',
    sent: (email: string) =>
      `An e-mail is on its way to ${email}. Your address changes when you open its link; until then everything stays as it is.`,
  },
  password: {
    title: 'Password',
    current: 'Current password',
    next: 'New password',
    help: 'At least 12 characters. A few unrelated words are easy to remember and hard to guess.',
    change: 'Change password',
    changed: 'Your password is changed. All your other sessions have ended.',
    forgot: 'Set a password by e-mail instead',
    forgotNoMail: 'Forgot your password?',
  },
  appearance: {
    title: 'Language and colours',
    here: 'These choices apply to this browser.',
  },
  deletion: {
    title: 'Delete the account',
    text: 'Deleting the account removes you from all workspaces and ends your API keys. You can cancel this for seven days.',
    delete: 'Delete account',
    confirmTitle: (email: string) => `Delete the account ${email}?`,
    confirmText:
      'All your other sessions end at once. After seven days the account and your API keys are deleted. Until then you can cancel this on this page.',
    planned: (at: string) => `This account will be deleted on ${at}.`,
    restore: 'Keep the account',
    restored: 'The account is kept.',
  },
  sessions: {
    title: 'Sessions',
    sentence: (count: number) =>
      count === 1
        ? 'You are logged in here and nowhere else.'
        : `You are logged in ${plural(count, { one: 'time', other: 'times' })}.`,
    current: 'this session',
    end: 'End',
    endOf: (device: string) => `End the session of ${device}`,
    ended: (device: string) => `The session of ${device} has ended.`,
    endOthers: 'End all others',
    endOthersTitle: (count: number) => `End ${plural(count, { one: 'other session', other: 'other sessions' })}?`,
    endOthersText: 'The devices must log in again. This session stays.',
    allEnded: 'All other sessions have ended.',
    how: {
      password: 'Logged in with the password',
      passkey: 'Logged in with a passkey',
      single_sign_on: 'Logged in with single sign-on',
      header: 'Logged in by the proxy',
    },
    withSecondFactor: ' and a second factor',
    used: (ago: string) => `last used ${ago} ago`,
    usedNow: 'used now',
    expires: 'expires',
    noAddress: 'without an address',
    unknown:
      'If you do not recognise a session, end it and change your password: whoever opened it knows the password or has your device.',
  },
  secondFactor: {
    title: 'Second factor',
    none: 'Only the password protects your account.',
    protectedBy: (factors: string) => `Your account is protected by ${factors}.`,
    thePassword: 'the password',
    anApp: 'an authenticator app',
    somePasskeys: (count: number) => plural(count, { one: 'passkey', other: 'passkeys' }),
    fewCodes: (left: number) =>
      left === 0
        ? 'No recovery code is left. Without one, a lost device locks you out.'
        : `Only ${plural(left, { one: 'recovery code is', other: 'recovery codes are' })} left.`,
    requiredBy: (names: readonly string[]) =>
      `${list(names)} ${names.length === 1 ? 'requires' : 'require'} a second factor, so you cannot remove your last one.`,
  },
  app: {
    title: 'Authenticator app',
    none: 'An app on your phone shows a new code every 30 seconds. After the password, Picket asks for it.',
    since: 'Set up since',
    setUp: 'Set up an app',
    replace: 'Set up another app',
    qr: 'QR code with the secret for the authenticator app',
    scan: 'Scan the QR code with the app, or type the secret into it. Then enter the code that the app shows.',
    secret: 'Secret for the app',
    code: 'Code',
    wrong: 'The app does not show this code now. Check the time of your phone, then enter the next code.',
    verify: 'Turn on',
    cancel: 'Cancel',
    done: 'The authenticator app is set up.',
  },
  removeApp: {
    remove: 'Remove',
    title: 'Remove the authenticator app?',
    text: 'Your passkeys remain. All your other sessions end.',
    lastOne:
      'It is your last second factor: from then on the password is enough, and your recovery codes stop working. All your other sessions end.',
    ways: { totp: 'Code of the app', recovery_code: 'Recovery code' },
    instead: {
      totp: 'Use a code of the app',
      recovery_code: 'Use a recovery code',
      passkey: 'Use a passkey',
    },
    cancel: 'Cancel',
    removed: 'The authenticator app is removed.',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'A passkey logs you in with the fingerprint, the face or the PIN of your device. It cannot be phished, and it works instead of the password.',
    notHere: 'Passkeys need https and a host name in the address of Picket. Here you can use an authenticator app.',
    add: 'Add passkey',
    create: 'Continue',
    name: 'Name of the passkey',
    nameHelp: 'Where it is kept, for example “Laptop” or the name of your password manager.',
    cancel: 'Cancel',
    cancelled: 'No passkey was added: you cancelled, or this device has a passkey of this account already.',
    added: (name: string) => `The passkey ${name} is added.`,
    created: 'Added',
    lastUsed: 'last used',
    never: 'never',
    backedUp: 'copied by its provider',
    onDevice: 'only on this device',
    rename: 'Rename',
    save: 'Save',
    remove: 'Remove',
    removeTitle: (name: string) => `Remove the passkey ${name}?`,
    removeText: 'You can no longer log in with it. All your other sessions end. This cannot be undone.',
    removed: (name: string) => `The passkey ${name} is removed.`,
  },
  recoveryCodes: {
    title: 'Recovery codes',
    text: 'Each code logs you in once when you do not have your phone or your passkey.',
    left: (count: number) => `${plural(count, { one: 'code is', other: 'codes are' })} left.`,
    renew: 'Create new codes',
    renewTitle: 'Create new recovery codes?',
    renewText: 'The codes that you have now stop working.',
    newTitle: 'Your new recovery codes',
    newText:
      'Store them where you find them without your phone, for example in a password manager or on paper. They are shown only now, and earlier codes no longer work.',
    download: 'Download as a file',
    stored: 'I have stored them',
    fileTitle: (host: string) => `Recovery codes for Picket at ${host}. Each works once.`,
  },
};
