import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import type { One, ServerJoinToken } from '../../../api/types.ts';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { Said } from '../../../components/said.tsx';
import { texts } from '../texts/texts.ts';
import { localOnly, removalOf } from './commands.ts';
import { type Commands, Waiting } from './waiting.tsx';

interface JoinProps {
  /** Called when the command is there. */
  started(): void;
  /** Leads to the list. */
  done(): void;
}

/** How a server is added: what the agent does, the line to paste, and the wait for its first sample. */
export function Join({ started, done }: JoinProps) {
  const queries = useQueryClient();
  const [commands, setCommands] = useState<Commands | null>(null);
  const create = useMutation({
    mutationFn: async () => (await call<One<ServerJoinToken>>('POST', '/v1/servers/join-tokens', {})).data,
    async onSuccess(now) {
      setCommands((had) => ({ now, before: had?.now ?? null, first: had?.first ?? now }));
      started();
      await Promise.all(
        [['servers', 'newest'], ['join-tokens']].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
    },
  });
  const beginAnew = () => {
    create.reset();
    setCommands(null);
  };
  const words = texts.join;
  return (
    <div className="stack join">
      {commands === null ? (
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
            <LocalOnly join={commands.now} />
            {/* Nobody has copied a new command yet. */}
            <CopyField
              key={commands.now.install_command}
              label={words.commandLabel}
              value={commands.now.install_command}
            />
            <p className="soft">
              <Said words={(time) => words.pasteHelp(time(commands.now.expires_at))} />
            </p>
            <Waiting {...{ commands, done }} renewal={create} renew={() => create.mutate()} another={beginAnew} />
          </section>
          <section className="panel join-step">
            <h2>{words.removeTitle}</h2>
            <CopyField label={words.removeLabel} value={removalOf(commands.now.install_command)} />
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

/** The command of an installation as it first starts works on its own machine only. */
function LocalOnly({ join }: { join: ServerJoinToken }) {
  const address = localOnly(join);
  if (address === null) return null;
  return (
    <p className="note warning wrap" role="status">
      {texts.join.localOnly(address, join.agent_address.split(':').at(-1) ?? '')}
    </p>
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
