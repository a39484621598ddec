import t from 'tap';
import { electionWithAgents } from '../../helpers/servers/election.js';

/** scripts/faults has the same scene with many agents. */
t.test('an election loses and doubles no sample', (t) => electionWithAgents(t, { agents: 2, whileAwayPerAgent: 2 }));
