import { readFile } from 'node:fs/promises';
import t from 'tap';
import { rolesFor } from '../../../control-plane/http/access.js';
import { ROLES } from '../../../control-plane/roles.js';

t.test('docs/team.md shows what each role may do', async (t) => {
  const page = await readFile('docs/team.md', 'utf8');
  const [, header = '', ...rows] = /\n(\| access .*\|)\n\| ---.*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const cells = (row: string) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  t.same(cells(header).slice(2), [...ROLES], 'a column for each role');
  const documented = new Map(
    rows
      .join('')
      .trim()
      .split('\n')
      .flatMap((row) => {
        const [accesses = '', , ...answers] = cells(row);
        return [...accesses.matchAll(/`([^`]+)`/g)].map(([, access = '']) => [access, answers] as const);
      }),
  );
  const inCode = (['any', 'person', 'view', 'self', 'full', 'owner', 'owner_session'] as const).map(
    (access) => [access, access] as const,
  );
  for (const [name, access] of [...inCode, ['…:read', 'monitors:read'], ['…:write', 'monitors:write']] as const) {
    const may = rolesFor(access);
    t.same(
      documented.get(name),
      ROLES.map((role) => (may.includes(role) ? 'yes' : 'no')),
      name,
    );
    documented.delete(name);
  }
  t.same([...documented.keys()], [], 'the page has no other row');
});

t.test('a role includes everything of the roles below it', (t) => {
  for (const access of ['monitors:read', 'monitors:write', 'full', 'owner', 'owner_session'] as const) {
    const may = rolesFor(access);
    t.same(may, ROLES.slice(0, may.length), access);
  }
  t.end();
});
