import { type Route, takesVersion } from '../route.js';

/**
 * Returns a function that returns whether a success response of a route carries the version of its object as an `ETag`.
 * An object has a version if its path accepts `If-Match` or its route says so. Every response with the same schema, such
 * as the one to a pause, and the one that creates the object carry it too.
 */
export function versionedReplies(routes: readonly Route[]): (route: Route, status: number) => boolean {
  const paths = new Set(routes.filter(takesVersion).map(({ path }) => path));
  const objects = routes.filter(
    (route) => route.method === 'GET' && (paths.has(route.path) || route.versioned === true),
  );
  const schemas = new Set(objects.flatMap(({ replies }) => replies[200] ?? []));
  const parents = new Set(objects.map(({ path }) => parentOf(path)));
  return (route, status) => {
    const schema = route.replies[status as keyof Route['replies']] ?? null;
    if (schema === null || route.list === true) return false;
    if (status === 201) return parents.has(route.path) || route.versioned === true;
    // What a deletion answers is not the object.
    return status === 200 && ((takesVersion(route) && route.method !== 'DELETE') || schemas.has(schema));
  };
}

/** Returns `/v1/monitors` for `/v1/monitors/{id}`. */
function parentOf(path: string): string {
  return path.replace(/\/\{\w+\}$/, '');
}
