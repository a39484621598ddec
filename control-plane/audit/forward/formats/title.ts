/** Returns the title of an action: `Api key created` for `api_key.created`. */
export function titleOf(action: string): string {
  const words = action.replace(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
