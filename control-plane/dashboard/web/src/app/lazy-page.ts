import { lazyRouteComponent } from '@tanstack/react-router';
import { whenServed } from './when-served.ts';

/** What the router takes for a file that is missing: it then loads the whole application again, once. */
const IS_MISSING = 'Failed to fetch dynamically imported module';

/** Returns a page of a route that loads when it is opened, or when somebody is about to open it. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      whenServed(load).catch((error: unknown) => {
        // After an upgrade its styles are missing as well, and the first error may be about these.
        throw new Error(`${IS_MISSING}: ${String(error)}`, { cause: error });
      }),
    name,
  );
