/** Mails that ask, to one mailbox, from all workspaces together: nobody can flood a stranger with questions. */
export const QUESTIONS_PER_ADDRESS_PER_DAY_MAX = 3;
/** Mails that ask, of one person in all of their workspaces. */
export const QUESTIONS_PER_PERSON_PER_DAY_MAX = 50;
/** Mails that ask, of one workspace. */
export const QUESTIONS_PER_WORKSPACE_PER_DAY_MAX = 100;

/** Invitations to one mailbox, from all workspaces together. */
export const INVITATIONS_PER_ADDRESS_PER_DAY_MAX = 20;
/** Invitations of one person in all of their workspaces. */
export const INVITATIONS_PER_PERSON_PER_DAY_MAX = 100;
export const INVITATIONS_PER_WORKSPACE_PER_DAY_MAX = 200;

/** Test mails to one mailbox, from all workspaces together. */
export const TEST_MAILS_PER_ADDRESS_PER_DAY_MAX = 20;
/** Test mails of one person: a test of a channel with 20 addresses is 20 mails. */
export const TEST_MAILS_PER_PERSON_PER_DAY_MAX = 100;
/** Test mails of one workspace. */
export const TEST_MAILS_PER_WORKSPACE_PER_DAY_MAX = 200;
