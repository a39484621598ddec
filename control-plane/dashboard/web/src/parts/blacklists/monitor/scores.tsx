import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { BlacklistMonitor } from '../../../api/types.ts';
import { whenServed } from '../../../app/when-served.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { scoresQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';

const ScoreChart = lazy(() => whenServed(() => import('./score-chart.tsx')));

/** The score over time. A check has the answers of all lists, so they load when somebody wants to see them. */
export function Scores({ monitor: { id, frequency } }: { monitor: BlacklistMonitor }) {
  const [isOpen, setOpen] = useState(false);
  const scores = useQuery({ ...scoresQuery(id), enabled: isOpen });
  if (scores.data !== undefined) {
    return (
      <Suspense fallback={<section className="panel scores-loading" />}>
        <ScoreChart scores={scores.data} frequency={frequency} />
      </Suspense>
    );
  }
  return (
    <div className="page-actions">
      <Button variant="default" loading={scores.isFetching} onClick={() => setOpen(true)}>
        {texts.scores.show}
      </Button>
      <ActionProblem error={scores.error} />
    </div>
  );
}
