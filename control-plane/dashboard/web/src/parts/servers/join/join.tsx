import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import type { One, ServerJoinToken } from '../../../api/types.ts';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { shortTime } from '../../../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { removalOf } from './commands.ts';
import { Waiting } from './waiting.tsx';

interface JoinProps {
  /** Called when the command is there. */
  started(): void;
  /** Leads to the list. */
  done(): void;
}

/** How a server is added: what the agent does, the line to paste, and the wait for its first sample. */
export function Join({ started, done }: JoinProps) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async () => (await call<One<ServerJoinToken>>('POST', '/v1/servers/join-tokens', {})).data,
    async onSuccess() {
      started();
      await queries.invalidateQueries({ queryKey: ['servers', 'newest'] });
    },
  });
  const words = texts.join;
  return (
    <div className="stack join">
      {create.data === undefined ? (
        <section className="panel join-step">
          <Facts />
          <ActionProblem error={create.error} />
          <div className="page-actions">
            <Button onClick={() => create.mutate()} loading={create.isPending}>
              {words.get}
            </Button>
          </div>
        </section>
      ) : (
        <>
          <section className="panel join-step">
            <h2>{words.paste}</h2>
            <CopyField label={words.commandLabel} value={create.data.install_command} />
            <p className="soft">{words.pasteHelp(shortTime(create.data.expires_at, Date.now()))}</p>
            <Waiting token={create.data} another={() => create.reset()} done={done} />
          </section>
          <section className="panel join-step">
            <h2>{words.removeTitle}</h2>
            <CopyField label={words.removeLabel} value={removalOf(create.data.install_command)} />
            <p className="soft">{words.removeHelp}</p>
          </section>
          <section className="panel join-step">
            <Facts />
          </section>
        </>
      )}
    </div>
  );
}

function Facts() {
  const words = texts.join;
  return (
    <>
      <div className="columns">
        <FactList title={words.sendsTitle} facts={words.sends} />
        <FactList title={words.neverTitle} facts={words.never} />
      </div>
      <p className="soft">{words.rights}</p>
    </>
  );
}

function FactList({ title, facts }: { title: string; facts: readonly string[] }) {
  return (
    <div>
      <h2>{title}</h2>
      <ul className="join-facts">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </div>
  );
}
