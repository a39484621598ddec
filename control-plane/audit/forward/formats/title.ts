/** `api_key.created` as a person says it: `Api key created`. */
export function titleOf(action: string): string {
  const words = action.replace(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
