import t from 'tap';
import { requiredDownVotes } from '../../../control-plane/results/uptime/quorum.js';

t.test('a majority of the valid votes decides, and at least two if the monitor has two locations', async (t) => {
  const rows: [assigned: number, valid: number, expected: number][] = [
    [1, 0, 1],
    [1, 1, 1],
    [2, 0, 2],
    [2, 1, 2],
    [2, 2, 2],
    [3, 1, 2],
    [3, 2, 2],
    [3, 3, 2],
    [4, 4, 3],
    [5, 1, 2],
    [5, 2, 2],
    [5, 3, 2],
    [5, 4, 3],
    [5, 5, 3],
  ];
  for (const [assigned, valid, expected] of rows) {
    t.equal(requiredDownVotes(assigned, valid, null), expected, `${valid} of ${assigned}`);
  }
});

t.test('the confirmations setting decides instead, however many votes are valid', async (t) => {
  t.equal(requiredDownVotes(5, 5, 1), 1, 'one location is enough if the setting says so');
  t.equal(requiredDownVotes(5, 1, 4), 4, 'too few valid votes do not lower the number');
  t.equal(requiredDownVotes(2, 2, 5), 2, 'a setting above the number of locations means all of them');
});
