import { Button, Group } from '@mantine/core';
import { t } from '../../text/text';
import { changedFields, shownOf, type Draft } from './draft';

interface Props {
  readonly base: Draft;
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}

/** Another save came first: nothing was overwritten, and its changes are shown. */
export function Conflict({ base, mine, theirs, keepMine, takeTheirs }: Props) {
  const both = [...new Set([...changedFields(base, mine), ...changedFields(base, theirs)])];
  const own = new Set(changedFields(base, mine));
  return (
    <section className="card section conflict" role="alert">
      <h2>{t('conflict.title')}</h2>
      <p>{t('conflict.lead')}</p>
      <div className="conflict-table">
        <span />
        <b>{t('conflict.theirs')}</b>
        <b>{t('conflict.mine')}</b>
        {both.map((field) => (
          <Row
            key={field}
            name={t(`agent.field.${field}`)}
            theirs={shownOf(theirs, field)}
            mine={own.has(field) ? shownOf(mine, field) : t('conflict.unchanged')}
          />
        ))}
      </div>
      <Group>
        <Button onClick={keepMine}>{t('conflict.keep')}</Button>
        <Button variant="default" onClick={takeTheirs}>
          {t('conflict.take')}
        </Button>
      </Group>
    </section>
  );
}

function Row({ name, theirs, mine }: { readonly name: string; readonly theirs: string; readonly mine: string }) {
  return (
    <>
      <code>{name}</code>
      <p>{theirs}</p>
      <p>{mine}</p>
    </>
  );
}
