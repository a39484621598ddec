import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { AlertRule } from '../../api/types.ts';
import { mayManage, useAccount } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { toast } from '../../components/toasts.tsx';
import { ruleName } from '../../texts/default-names.ts';
import { inputOf } from './input.ts';
import { rulesQuery, useOptions } from './queries.ts';
import { type Names, ruleSentence } from './sentence.ts';
import { texts } from './texts/texts.ts';
import './alert-rules.css';

export function AlertRulesPage() {
  const { data, error, refetch } = useQuery(rulesQuery);
  const { names } = useOptions();
  const mayChange = mayManage(useAccount());
  if (data === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const off = data.rows.filter(({ enabled }) => !enabled).length;
  const add = (
    <Button component={Link} to="/settings/alert-rules/new">
      {texts.add}
    </Button>
  );
  return (
    <>
      <PageHead
        title={texts.title}
        sentence={data.rows.length === 0 ? texts.none : texts.count(data.rows.length, off)}
        actions={mayChange && data.rows.length > 0 ? add : undefined}
      />
      {data.rows.length === 0 ? (
        <section className="panel empty">
          <p>{texts.empty}</p>
          {mayChange ? add : null}
        </section>
      ) : (
        <ul className="panel rows" aria-label={texts.title}>
          {data.rows.map((rule) => (
            <RuleRow key={rule.id} rule={rule} names={names} mayChange={mayChange} />
          ))}
        </ul>
      )}
    </>
  );
}

function RuleRow({ rule, names, mayChange }: { rule: AlertRule; names: Names; mayChange: boolean }) {
  return (
    <li className="alert-rule">
      <Mark
        as={rule.enabled ? rule.severity : 'paused'}
        word={rule.enabled ? texts.severities[rule.severity] : texts.off}
        quiet={false}
      />
      <div className="row-main">
        <Link to={`/settings/alert-rules/${rule.id}`} className="two-lines strong">
          <bdi>{ruleName(rule)}</bdi>
        </Link>
        <span className="row-detail wrap">{ruleSentence(inputOf(rule), names)}</span>
      </div>
      {mayChange ? <Toggle rule={rule} /> : null}
    </li>
  );
}

/** Turns a rule off, and on again. */
function Toggle({ rule }: { rule: AlertRule }) {
  const queries = useQueryClient();
  const turn = useMutation({
    mutationFn: (enabled: boolean) => call('PATCH', apiPath`/v1/alert-rules/${rule.id}`, { enabled }),
    onSuccess(_, enabled) {
      const undo = () => turn.mutate(!enabled);
      toast({ text: enabled ? texts.turnedOn(ruleName(rule)) : texts.turnedOff(ruleName(rule)), undo });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['alert-rules'] }),
  });
  return (
    <>
      <Button variant="default" onClick={() => turn.mutate(!rule.enabled)} loading={turn.isPending}>
        {rule.enabled ? texts.turnOff : texts.turnOn}
        <span className="only-spoken"> {ruleName(rule)}</span>
      </Button>
      <ActionProblem error={turn.error} />
    </>
  );
}
