import {
  accepts,
  closedObject,
  everyFieldHasRows,
  integerField,
  refusal,
  refuses,
  type Subject,
} from '../../test/rule-table';
import { validate } from '../rules/validate';
import { AgentVoiceStackUpdate } from './agent-voice-stack-update';
import { AgentNavigation } from './navigation';

const subject: Subject = { cls: AgentNavigation, base: { enabled: true } };

accepts(subject, 'enabled', [true, false, null]);
refuses(subject, 'enabled', ['true', 1, 0, [], {}]);
integerField(subject, 'max_hold_seconds', { min: 10, max: 3600 });
integerField(subject, 'max_navigation_seconds', { min: 10, max: 900 });
closedObject(subject);

it('read-only fields are accepted and ignored', () => {
  const read = {
    enabled: null,
    max_hold_seconds: 600,
    effective: true,
    eligible: false,
    ineligible_reason: 'not_released',
  };
  expect({ ...validate(AgentNavigation, read).value }).toEqual({ enabled: null, max_hold_seconds: 600 });
});

it.each<[string, unknown]>([
  ['null', null],
  ['an empty object', {}],
  ['limits without enabled', { max_hold_seconds: 600 }],
  ['only read-only fields', { effective: true, eligible: true, ineligible_reason: null }],
])('navigation: %s is refused with navigation_enabled_required', (_, navigation) => {
  const error = refusal({ cls: AgentVoiceStackUpdate }, { navigation });
  expect([error.code, error.status]).toEqual(['navigation_enabled_required', 400]);
});

everyFieldHasRows(subject, { max_hold_seconds: 600, max_navigation_seconds: 180 });
