import {
  accepts,
  booleanField,
  closedObject,
  enumField,
  listField,
  refuses,
  textField,
  type Subject,
} from '../../test/rule-table';
import { AgentVariablesUpdate, isOfVariableType, variableTypes, type VariableType } from './variables';

const variable = { name: 'first_name', type: 'string', required: true };
const subject: Subject = { cls: AgentVariablesUpdate, base: { config: { variables: [variable] } } };

refuses(subject, 'config', [null, {}, [], [variable], { variables: {} }, { variables: [], other: 1 }]);
listField(subject, 'config.variables', { min: 0, max: 64 }, (index) => ({ ...variable, name: `v${index}` }));
refuses(subject, 'config.variables', [[variable, { ...variable, type: 'number' }]]);
accepts(subject, 'config.variables[0].name', ['a', '_a1', 'a'.repeat(64)]);
refuses(subject, 'config.variables[0].name', ['', 'a'.repeat(65), '1a', 'a b', '{{a}}', null]);
enumField(subject, 'config.variables[0].type', variableTypes);
booleanField(subject, 'config.variables[0].required');
booleanField(subject, 'config.variables[0].protected');
textField(subject, 'config.variables[0].description', { max: 500 });
accepts(subject, 'config.variables[0].default', ['', 'x']);
refuses(subject, 'config.variables[0].default', [5, true, null, [], {}]);
accepts(subject, 'base_revision', [0, 7]);
refuses(subject, 'base_revision', [-1, 1.5, '0', null]);
closedObject(subject);
closedObject(subject, 'config');
closedObject(subject, 'config.variables[0]');

it.each<[VariableType, unknown, boolean]>([
  ['string', '', true],
  ['string', 5, false],
  ['number', 1.5, true],
  ['number', Number.NaN, false],
  ['number', '5', false],
  ['boolean', false, true],
  ['boolean', 'false', false],
  ['date', '2026-02-28', true],
  ['date', '2026-02-29', false],
  ['date', '2026-2-8', false],
  ['date', '2026-13-01', false],
  ['date', 20260228, false],
])('a variable of type %s accepts %p: %p', (type, value, may) => expect(isOfVariableType(value, type)).toBe(may));
