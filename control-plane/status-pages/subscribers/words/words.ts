/** A page with one text, which can have a button. */
interface Said {
  title: string;
  text: string;
}

/** The texts about subscriptions in one language. Arguments and results are plain text. */
export interface SubscriptionWords {
  form: {
    title: string;
    label: string;
    button: string;
    /** The link to the form with a choice of components. */
    choose: string;
    /** Above the components. Without any that is chosen, all count. */
    components: string;
    help: string;
    wrong: string;
  };
  /** After each form, whether or not the address is a subscriber. */
  asked: Said;
  tooMany: Said;
  /** Arguments are the title of the page and the address. */
  confirm: { title: string; text(page: string, address: string): string; button: string };
  confirmed: { title: string; text(page: string, address: string): string };
  /** The workspace has as many subscribers as its plan allows. */
  full: Said;
  stop: { title: string; text(page: string, address: string): string; button: string };
  stopped: Said;
  /** A link that does not work. */
  refused: Said;
  unavailable: Said;
  mail: {
    confirmTitle(page: string): string;
    confirmText(page: string, until: string): string;
    confirmIgnore: string;
    confirmAction: string;
    confirmWhy(page: string): string;
    maintenancePlanned: string;
    maintenanceStarted: string;
    maintenanceEnded: string;
    state: string;
    affected: string;
    time: string;
    open: string;
    more: string;
    why(page: string): string;
    stop: string;
    copy: string;
  };
}
