/** Mails that ask, to one mailbox, of one person: nobody can use up what others may ask. */
export const QUESTIONS_PER_ADDRESS_PER_DAY_MAX = 3;
/** Mails that ask, to one mailbox, from all workspaces together: nobody can flood a stranger with questions. */
export const QUESTIONS_PER_ADDRESS_OF_ALL_PER_DAY_MAX = 8;
/** Mails that ask, of one person in all of their workspaces. */
export const QUESTIONS_PER_PERSON_PER_DAY_MAX = 50;
/** Mails that ask, of one workspace. */
export const QUESTIONS_PER_WORKSPACE_PER_DAY_MAX = 100;

/** Invitations to one mailbox, of one person. */
export const INVITATIONS_PER_ADDRESS_PER_DAY_MAX = 10;
/** Invitations to one mailbox, from all workspaces together. */
export const INVITATIONS_PER_ADDRESS_OF_ALL_PER_DAY_MAX = 20;
/** Invitations of one person in all of their workspaces. */
export const INVITATIONS_PER_PERSON_PER_DAY_MAX = 100;
export const INVITATIONS_PER_WORKSPACE_PER_DAY_MAX = 200;

/** Test mails to one mailbox, from all workspaces together. */
export const TEST_MAILS_PER_ADDRESS_PER_DAY_MAX = 20;
/** Test mails of one person: a test of a channel with 20 addresses is 20 mails. */
export const TEST_MAILS_PER_PERSON_PER_DAY_MAX = 100;
/** Test mails of one workspace. */
export const TEST_MAILS_PER_WORKSPACE_PER_DAY_MAX = 200;

/** Mails to the new address of an account, to one mailbox, of one person. */
export const ADDRESS_CHANGES_PER_ADDRESS_PER_DAY_MAX = 3;
/** The same, of all people together. */
export const ADDRESS_CHANGES_PER_ADDRESS_OF_ALL_PER_DAY_MAX = 8;
export const ADDRESS_CHANGES_PER_PERSON_PER_DAY_MAX = 10;
/** Of a person whose present address nobody has confirmed: enough to mend a mistyped one. */
export const ADDRESS_CHANGES_UNCONFIRMED_PER_DAY_MAX = 3;
