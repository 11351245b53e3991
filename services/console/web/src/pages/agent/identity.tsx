import { SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { t } from '../../text/text';
import type { Draft } from './draft';
import { Section } from './section';

interface Props {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}

/** A key renders the field that it is typed in, and not the others. */
export function Identity({ draft: { name, prompt, first, firstSpeaker, recording }, change }: Props) {
  const nameField = useMemo(
    () => (
      <TextInput
        label={t('start.name')}
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        maxLength={200}
      />
    ),
    [name, change],
  );
  const promptField = useMemo(
    () => (
      <Textarea
        label={t('start.prompt')}
        description={t('agent.promptHint')}
        value={prompt}
        onChange={(event) => change({ prompt: event.currentTarget.value })}
        autosize
        minRows={8}
        maxRows={24}
      />
    ),
    [prompt, change],
  );
  const firstField = useMemo(
    () => (
      <Textarea
        label={t('start.first')}
        value={first}
        onChange={(event) => change({ first: event.currentTarget.value })}
        autosize
        minRows={1}
      />
    ),
    [first, change],
  );
  const speakerField = useMemo(
    () => (
      <div>
        <span className="label" id="speaks-first">
          {t('agent.speaksFirst')}
        </span>
        <SegmentedControl
          aria-labelledby="speaks-first"
          data={[
            { value: 'agent', label: t('call.agent') },
            { value: 'callee', label: t('agent.callee') },
          ]}
          value={firstSpeaker}
          onChange={(value) => change({ firstSpeaker: value === 'agent' ? 'agent' : 'callee' })}
        />
      </div>
    ),
    [firstSpeaker, change],
  );
  const recordingField = useMemo(
    () => (
      <Switch
        label={t('agent.record')}
        description={t('agent.recordHint')}
        checked={recording}
        onChange={(event) => change({ recording: event.currentTarget.checked })}
      />
    ),
    [recording, change],
  );
  return (
    <Section title={t('agent.section.identity')}>
      {nameField}
      {promptField}
      {firstField}
      {speakerField}
      {recordingField}
    </Section>
  );
}
