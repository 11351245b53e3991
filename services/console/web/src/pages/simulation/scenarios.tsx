import { Button, Group, Textarea } from '@mantine/core';
import type { SimulationScenario, SimulationSuite } from '@parley/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send, type WithEtag } from '../../api/request';
import { Refusal } from '../../parts/refusal';
import { ScopedButton } from '../../parts/scoped-button';
import { t } from '../../text/text';
import { assertionText } from './assertion-text';

const parsed = (text: string): SimulationScenario[] | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as SimulationScenario[]) : undefined;
  } catch {
    return undefined;
  }
};

/** The scenarios of a suite: callee turns and assertions, and an editor for them as JSON, because the list does not show every field. */
export function Scenarios({ suite: { value, etag } }: { readonly suite: WithEtag<SimulationSuite> }) {
  const { simulation_suite_id: suiteId, scenarios } = value;
  const client = useQueryClient();
  const [draft, setDraft] = useState<{ readonly text: string; readonly etag: string }>();
  const save = useMutation({
    mutationFn: async ({ text, etag: base }: { readonly text: string; readonly etag: string }) => {
      const answer = await send('PATCH', `/v1/simulation-suites/${suiteId}`, {
        body: { scenarios: parsed(text) },
        headers: { 'If-Match': base },
      });
      return { value: (await answer.json()) as SimulationSuite, etag: answer.headers.get('etag') ?? '' };
    },
    onSuccess: (saved) => {
      client.setQueryData(['suite', suiteId], saved);
      void client.invalidateQueries({ queryKey: ['suites'] });
      setDraft(undefined);
    },
  });
  const isValid = draft === undefined || parsed(draft.text) !== undefined;
  return (
    <section className="card section" aria-labelledby="scenarios-title">
      <h2 id="scenarios-title">{t('scenarios.title')}</h2>
      {draft === undefined ? (
        <>
          <ul className="changes">
            {scenarios.map((scenario) => (
              <li key={scenario.name}>
                <b>{scenario.name}</b>
                <span>{(scenario.callee.turns ?? [scenario.callee.persona, scenario.callee.goal]).join(' / ')}</span>
                {scenario.assertions.map((assertion) => (
                  <code key={JSON.stringify(assertion)}>{assertionText(assertion)}</code>
                ))}
              </li>
            ))}
          </ul>
          <Group mt="md">
            <ScopedButton
              scope="simulations:run"
              variant="default"
              onClick={() => setDraft({ text: JSON.stringify(scenarios, null, 2), etag })}
            >
              {t('scenarios.edit')}
            </ScopedButton>
          </Group>
        </>
      ) : (
        <>
          <Textarea
            label={t('scenarios.json')}
            description={t('scenarios.jsonHint')}
            value={draft.text}
            onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
            error={isValid ? undefined : t('scenarios.jsonWrong')}
            autosize
            minRows={8}
            maxRows={28}
            spellCheck={false}
            classNames={{ input: 'code-input' }}
          />
          <Refusal error={save.error} />
          <Group mt="md">
            <Button disabled={!isValid} loading={save.isPending} onClick={() => save.mutate(draft)}>
              {t('save')}
            </Button>
            <Button variant="default" onClick={() => setDraft(undefined)}>
              {t('cancel')}
            </Button>
          </Group>
        </>
      )}
    </section>
  );
}
