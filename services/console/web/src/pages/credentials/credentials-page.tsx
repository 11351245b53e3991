import { Button } from '@mantine/core';
import { IconFilterOff, IconLockPassword, IconPlus } from '@tabler/icons-react';
import type { ComponentCredentialRecord } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { credentialsQuery } from '../../api/reads';
import { ChoiceFilter } from '../../parts/choice-filter';
import { Listed } from '../../parts/listed';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { t } from '../../text/text';
import { AddCredential } from './add-credential';
import { Credential } from './credential';
import { kinds, testStates, type TestState } from './credential-search';

const route = getRouteApi('/credentials');

const testStateOf = ({ test_ok: isOk }: ComponentCredentialRecord): TestState =>
  isOk === null ? 'untested' : isOk ? 'accepted' : 'refused';

export default function CredentialsPage() {
  const query = useQuery(credentialsQuery);
  const { kind, test } = route.useSearch();
  const navigate = route.useNavigate();
  const [isAdding, setAdding] = useState(false);
  const add = (
    <ScopedButton scope="agents:write" leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
      {t('credentials.add')}
    </ScopedButton>
  );
  const fits = (one: ComponentCredentialRecord): boolean =>
    (kind === undefined || one.kind === kind) && (test === undefined || testStateOf(one) === test);
  return (
    <Page title={t('credentials.title')} lead={t('credentials.lead')} actions={add} wide>
      <Listed
        query={query}
        rows={4}
        empty={
          <Notice Icon={IconLockPassword} title={t('credentials.empty')} lead={t('credentials.emptyLead')}>
            {add}
          </Notice>
        }
      >
        {(credentials) => (
          <>
            <div className="filters" role="search" aria-label={t('credentials.title')}>
              <ChoiceFilter
                label={t('credentials.kind')}
                group="credentialKind"
                values={kinds}
                value={kind}
                change={(next) => void navigate({ search: (old) => ({ ...old, kind: next }) })}
              />
              <ChoiceFilter
                label={t('credentials.state')}
                group="credentialTest"
                values={testStates}
                value={test}
                change={(next) => void navigate({ search: (old) => ({ ...old, test: next }) })}
              />
            </div>
            {credentials.some(fits) ? (
              <ul className="deliveries card" aria-label={t('credentials.title')}>
                {credentials.filter(fits).map((credential) => (
                  <Credential
                    key={credential.component_credential_id}
                    credential={credential}
                    state={testStateOf(credential)}
                  />
                ))}
              </ul>
            ) : (
              <Notice Icon={IconFilterOff} title={t('credentials.noFit')} lead={t('calls.emptyFilteredLead')}>
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  {t('calls.filter.clear')}
                </Button>
              </Notice>
            )}
          </>
        )}
      </Listed>
      {isAdding && <AddCredential close={() => setAdding(false)} />}
    </Page>
  );
}
