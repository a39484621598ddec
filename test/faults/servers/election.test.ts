import t from 'tap';
import { electionWithAgents } from '../../helpers/servers/election.js';

t.test('an election is a pause: no stream ends, nothing is lost or doubled', (t) =>
  electionWithAgents(t, { agents: 20, whileAwayPerAgent: 3 }),
);
