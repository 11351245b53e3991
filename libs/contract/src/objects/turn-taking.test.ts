import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  closedObject,
  everyFieldHasRows,
  enumField,
  integerField,
  numberField,
  type Subject,
} from '../../test/rule-table';
import { planOf } from '../rules/plan';
import { jsonSchemaOf } from '../schema/json-schema-of';
import { AgentTurnTaking, interruptionSensitivities } from './turn-taking';

const subject: Subject = { cls: AgentTurnTaking };

enumField(subject, 'interruption_sensitivity', interruptionSensitivities);
integerField(subject, 'min_speech_ms', { min: 80, max: 2000 });
integerField(subject, 'silence_hold_ms', { min: 100, max: 2000 });
integerField(subject, 'min_interruption_words', { min: 0, max: 5 });
integerField(subject, 'max_call_seconds', { min: 60, max: 1740 });
integerField(subject, 'no_caller_speech_seconds', { min: 10, max: 120 });
numberField(subject, 'barge_in_speech_rms', { min: 100, max: 32000 });
closedObject(subject);

it('only barge_in_speech_rms is marked as deprecated', () => {
  const { properties } = jsonSchemaOf(AgentTurnTaking) as { properties: Record<string, { deprecated?: boolean }> };
  expect(Object.keys(properties).filter((name) => properties[name]?.deprecated)).toEqual(['barge_in_speech_rms']);
});

everyFieldHasRows(subject, {
  interruption_sensitivity: 'balanced',
  max_call_seconds: 1740,
  no_caller_speech_seconds: 20,
});

const editor = readFileSync(
  path.resolve(__dirname, '../../../../services/console/web/src/pages/agent/turn-taking.tsx'),
  'utf8',
);

it.each(planOf(AgentTurnTaking).fields.filter(({ facts }) => !facts.deprecated))(
  'the editor of the console shows $name, in its list of bounded numbers or as a separate input',
  ({ name, rules }) => {
    const isFigure = ['min', 'max'].every((bound) => rules.some((rule) => rule.name === bound));
    expect(isFigure || editor.includes(`value.${name}`)).toBe(true);
  },
);
