/** Returns what the API said of a field as a sentence: `Must not be empty.` for `must not be empty`. */
export function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.');
}
