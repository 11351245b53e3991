import { IconPlus, IconServerBolt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { numbersQuery, trunksQuery } from '../../api/reads';
import { Listed } from '../../parts/listed';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { t } from '../../text/text';
import { Trunk } from './trunk';
import { EditTrunk, TrunkForm } from './trunk-form';

export default function TrunksPage() {
  const query = useQuery(trunksQuery);
  const { data: numbers } = useQuery(numbersQuery);
  const [isAdding, setAdding] = useState(false);
  const [editedId, setEditedId] = useState<string>();
  const add = (
    <ScopedButton scope="numbers:write" leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
      {t('trunks.add')}
    </ScopedButton>
  );
  return (
    <Page title={t('trunks.title')} lead={t('trunks.lead')} actions={add} wide>
      <Listed
        query={query}
        rows={4}
        empty={
          <Notice Icon={IconServerBolt} title={t('trunks.empty')} lead={t('trunks.emptyLead')}>
            {add}
          </Notice>
        }
      >
        {(trunks) => (
          <ul className="agent-cards">
            {trunks.map((trunk) => (
              <Trunk
                key={trunk.sip_trunk_id}
                trunk={trunk}
                numbers={numbers?.data.filter(({ sip_trunk_id: id }) => id === trunk.sip_trunk_id)}
                edit={() => setEditedId(trunk.sip_trunk_id)}
              />
            ))}
          </ul>
        )}
      </Listed>
      {isAdding && <TrunkForm close={() => setAdding(false)} />}
      {editedId !== undefined && <EditTrunk id={editedId} close={() => setEditedId(undefined)} />}
    </Page>
  );
}
