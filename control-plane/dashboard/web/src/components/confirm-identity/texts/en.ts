export const en = {
  title: 'Confirm that it is you',
  lead: 'This protects your account from somebody at your unlocked device. It is valid for ten minutes.',
  labels: { password: 'Password', totp: 'Code of the authenticator app', recovery_code: 'Recovery code' },
  instead: {
    password: 'Use the password',
    totp: 'Use the authenticator app',
    passkey: 'Use a passkey',
    recovery_code: 'Use a recovery code',
  },
  usePasskey: 'Use passkey',
  passkeyCancelled: 'The passkey was not used. Try again, or choose another way.',
  confirm: 'Confirm',
  cancel: 'Cancel',
  logInAgain: 'Log in again instead',
  empty: 'Must not be empty.',
  wrong: {
    password: 'The password is wrong.',
    totp: 'This code is wrong or was used already. Enter the one that the app shows now.',
    passkey: 'This passkey was not accepted. Try again, or choose another way.',
    recovery_code: 'This recovery code is wrong or was used already.',
  },
};
