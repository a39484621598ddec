/** Returns the user names of `/etc/passwd` by user id. The first name of an id wins. */
export function parsePasswd(text: string): Map<number, string> {
  const users = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [name = '', , id = ''] = line.split(':');
    if (name !== '' && /^\d+$/.test(id) && !users.has(Number(id))) users.set(Number(id), name);
  }
  return users;
}
