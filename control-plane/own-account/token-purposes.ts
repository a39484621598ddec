/** The purposes of the one-time tokens in e-mails about an account. */
export const CONFIRM_EMAIL = 'confirm_email';
export const RESET_PASSWORD = 'reset_password';
