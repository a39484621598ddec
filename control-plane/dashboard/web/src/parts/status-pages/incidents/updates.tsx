import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { StatusPageIncident } from '../../../api/types.ts';
import { Time } from '../../../components/time/time.tsx';
import { texts } from '../texts/texts.ts';
import { EditText } from './edit-text.tsx';
import { IncidentMark } from './incident-mark.tsx';

interface UpdatesProps {
  incident: StatusPageIncident;
  /** Of the incident in the API. */
  path: string;
  mayWrite: boolean;
}

/** What people have said of an incident, the newest first. */
export function Updates({ incident: { updates }, path, mayWrite }: UpdatesProps) {
  return (
    <section className="panel" aria-labelledby="incident-updates">
      <h2 id="incident-updates">{texts.incidents.updates}</h2>
      <ol className="rows status-updates">
        {updates.map((update) => (
          <Update key={update.id} {...{ update, path, mayWrite }} />
        ))}
      </ol>
    </section>
  );
}

interface UpdateProps extends Omit<UpdatesProps, 'incident'> {
  update: StatusPageIncident['updates'][number];
}

function Update({ update, path, mayWrite }: UpdateProps) {
  const { state, text, at, author, edited_at: editedAt } = update;
  const words = texts.incidents;
  const [isEdited, setEdited] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (wasEdited.current && !isEdited) button.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  return (
    <li>
      <p className="row-detail wrap">
        <IncidentMark state={state} /> · <Time at={at} /> · <bdi>{author}</bdi>
        {editedAt === null ? null : ` · ${words.edited}`}
      </p>
      {isEdited ? (
        <EditText {...{ update, path }} close={() => setEdited(false)} />
      ) : (
        <>
          <p className="status-text">
            <bdi>{text}</bdi>
          </p>
          {mayWrite ? (
            <Button ref={button} variant="default" size="xs" onClick={() => setEdited(true)}>
              {words.editText}
            </Button>
          ) : null}
        </>
      )}
    </li>
  );
}
