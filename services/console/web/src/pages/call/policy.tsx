import { Alert, Stack } from '@mantine/core';
import { IconEye, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import type { CallRecord } from '@parley/sdk';
import { t } from '../../text/text';

export function Policy({ call: { policy, status } }: { readonly call: CallRecord }) {
  const isAllowed = policy.verdict === 'allowed';
  const reasons = policy.reasons ?? [];
  return (
    <Stack>
      <section className="card verdict" data-tone={isAllowed ? 'good' : policy.verdict === 'blocked' ? 'bad' : 'wait'}>
        {isAllowed ? <IconShieldCheck size={30} aria-hidden="true" /> : <IconShieldX size={30} aria-hidden="true" />}
        <div>
          <h2>{t(`call.policy.${policy.verdict}`)}</h2>
          {policy.rules.length === 0 ? (
            <p>{t('call.policy.noRules')}</p>
          ) : (
            <ul>
              {policy.rules.map((rule, n) => (
                <li key={rule}>
                  <b>{rule.replaceAll('_', ' ')}</b> {reasons[n]}
                </li>
              ))}
            </ul>
          )}
        </div>
      </section>
      {status === 'needs_review' && <Alert color="yellow">{t('call.review.lead')}</Alert>}
      {policy.shadow !== undefined && policy.shadow.length > 0 && (
        <section className="card shadow">
          <h2>
            <IconEye size={18} aria-hidden="true" /> {t('call.policy.shadow')}
          </h2>
          <p>{t('call.policy.shadowLead')}</p>
          <ul>
            {policy.shadow.map(({ rule, verdict, reason }) => (
              <li key={rule}>
                <b>{rule.replaceAll('_', ' ')}</b>
                <span className="pill" data-tone={verdict === 'allowed' ? 'good' : 'bad'}>
                  {t(`call.policy.${verdict}`)}
                </span>{' '}
                {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}
