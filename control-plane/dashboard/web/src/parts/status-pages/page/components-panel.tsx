import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StatusPage } from '../../../api/types.ts';
import { optionsOf } from '../form/options.ts';
import { publicStateQuery, targetsQuery } from '../queries.ts';
import { ComponentMark } from '../state.tsx';
import { texts } from '../texts/texts.ts';

type Component = StatusPage['groups'][number]['components'][number];

/** The components as visitors see them, with what each shows in Picket. */
export function ComponentsPanel({ page, mayWrite }: { page: StatusPage; mayWrite: boolean }) {
  const { data } = useQuery(publicStateQuery(page));
  const targets = useQuery(targetsQuery);
  const states = new Map(
    (data?.groups ?? []).flatMap(({ components }) => components.map((one) => [one.id, one.state])),
  );
  const names = new Map(optionsOf(targets.data ?? { monitors: [], servers: [] }).map((one) => [one.target, one.name]));
  const groups = page.groups.filter(({ components }) => components.length > 0);
  return (
    <section className="panel">
      <h2>{texts.form.components}</h2>
      {groups.length > 0 ? null : (
        <>
          <p>{texts.noComponents}</p>
          {mayWrite ? (
            <Button component={Link} to={`/status-pages/${page.id}/edit`}>
              {texts.addComponents}
            </Button>
          ) : null}
        </>
      )}
      {groups.map(({ name, components }, index) => (
        // Groups have no id, and none changes its place while the page is open.
        <section key={index} aria-label={name ?? texts.form.groupNumber(index + 1)}>
          {name === null ? null : (
            <h3 className="status-group-name">
              <bdi>{name}</bdi>
            </h3>
          )}
          <ul className="rows">
            {components.map((component) => (
              <li key={component.id} className="row">
                <div className="row-main">
                  <p className="two-lines">
                    <bdi>{component.name}</bdi>
                  </p>
                  <p className="row-detail wrap">
                    <Shows component={component} name={names.get(targetOf(component)) ?? '…'} />
                  </p>
                </div>
                <ComponentState state={states.get(component.id)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

function ComponentState({ state }: { state: Parameters<typeof ComponentMark>[0]['state'] | undefined }) {
  return state === undefined ? null : <ComponentMark state={state} />;
}

const targetOf = ({ monitor_id, server_id, tag }: Component): string => monitor_id ?? server_id ?? tag ?? '';

function Shows({ component: { monitor_id, server_id, tag }, name }: { component: Component; name: string }) {
  const { shows } = texts.form;
  if (monitor_id !== null)
    return (
      <>
        {shows.monitor} <Link to={`/monitors/${monitor_id}`}>{name}</Link>
      </>
    );
  if (server_id !== null)
    return (
      <>
        {shows.server} <Link to={`/servers/${server_id}`}>{name}</Link>
      </>
    );
  return (
    <>
      {shows.tag} <bdi>{tag}</bdi>
    </>
  );
}
