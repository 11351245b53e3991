import {
  accepts,
  enumField,
  ignoredFields,
  integerField,
  listField,
  refuses,
  requiredFields,
  textField,
  type Subject,
} from '../../test/rule-table';
import { jobEventTypes } from '../events';
import { endedReasons } from './ended-reasons';
import { CallCreate } from './call';
import { dialers, NumberCreate, numberProviders, NumberUpdate } from './number';
import { jobKinds, WorkerJobClaim, WorkerJobComplete, WorkerJobHeartbeat, WorkerJobReport } from './worker-job';

const phones = ['+15005550001', '+12', '+123456789012345'];
const noPhones = [
  '15005550001',
  '+0123456',
  '+1234567890123456',
  '+1 500 555',
  '+',
  '',
  '+1500555000a',
  '٠',
  null,
  15005550001,
];

const call: Subject = { cls: CallCreate, base: { agent_id: 'agt_1', to: '+15005550006' } };
requiredFields(call, ['agent_id', 'to']);
accepts(call, 'to', phones);
refuses(call, 'to', noPhones);
accepts(call, 'from', phones);
refuses(call, 'from', noPhones);
accepts(call, 'agent_id', ['agt_1', 'whatever: an id that cannot exist is a 404']);
refuses(call, 'agent_id', ['', 5, null]);
accepts(call, 'variables', [{}, { a: 1, b: [true] }]);
refuses(call, 'variables', [null, [], 'x']);
accepts(call, 'metadata', [{}, { a: { b: null } }]);
refuses(call, 'metadata', [null, [], { a: 'x'.repeat(64 * 1024) }]);
textField(call, 'language', { min: 2, max: 35 });
accepts(call, 'scheduled_at', ['2026-01-31T12:00:00Z']);
refuses(call, 'scheduled_at', ['2026-01-31', 'soon', 0, null]);

refuses(call, 'prompt', ['x']);
refuses(call, 'idempotency_key', ['y']);

const number: Subject = {
  cls: NumberCreate,
  base: { organization_id: 'org_1', project_id: 'prj_1', phone_number: '+15005550000', provider: 'simulator' },
};
requiredFields(number, ['project_id', 'phone_number', 'provider']);
accepts(number, 'phone_number', phones);
refuses(number, 'phone_number', noPhones);
enumField(number, 'provider', numberProviders);
accepts(number, 'inbound_agent_id', ['agt_1', null]);
refuses(number, 'inbound_agent_id', ['', 5, {}]);
enumField(number, 'dialer', dialers);

const attach: Subject = { cls: NumberUpdate, base: { inbound_agent_id: 'agt_1' } };
accepts(attach, 'inbound_agent_id', ['agt_1', null]);
refuses(attach, 'inbound_agent_id', ['', 5, {}]);
enumField(attach, 'dialer', dialers);
ignoredFields(attach, [
  'number_id',
  'phone_number',
  'provider',
  'carrier_credential_id',
  'verified_at',
  'created_at',
  'updated_at',
]);

const claim: Subject = { cls: WorkerJobClaim, base: { kinds: ['call'], capacity: 1, worker_id: 'w' } };
requiredFields(claim, ['kinds', 'capacity', 'worker_id']);
enumField(claim, 'kinds[0]', jobKinds);
refuses(claim, 'kinds', [[], ['call', 'call'], 'call', null]);
integerField(claim, 'capacity', { min: 1, max: 100 });
integerField(claim, 'wait_seconds', { min: 0, max: 30 });
textField(claim, 'worker_id', { min: 1, max: 128 });

const heartbeat: Subject = { cls: WorkerJobHeartbeat, base: { worker_id: 'w', leases: [] } };
requiredFields(heartbeat, ['worker_id', 'leases']);
listField(heartbeat, 'leases', { min: 0, max: 1000 }, () => ({ job_id: 'job_1', epoch: 1 }));
refuses(heartbeat, 'leases[0]', [
  { job_id: 'job_1' },
  { epoch: 1 },
  { job_id: 'job_1', epoch: 0 },
  { job_id: 'job_1', epoch: '1' },
]);

const problem = { detail: 'text', at: '2026-03-01T12:00:00.000Z' };
const report: Subject = {
  cls: WorkerJobReport,
  base: { epoch: 1, seq: 1, events: [{ type: 'dialing' }] },
};
requiredFields(report, ['epoch', 'seq', 'events']);
listField(report, 'events', { min: 1, max: 20 }, () => ({ type: 'ended', ended_reason: 'callee_hung_up' }));
enumField(report, 'events[0].type', jobEventTypes);
enumField(report, 'events[0].ended_reason', endedReasons);
refuses(report, 'events[0].ended_reason', [
  'unspecified',
  'model_session_lost',
  'voicemail_reached',
  'customer made this up!',
]);
accepts(report, 'events[0].reason_detail', [
  'model_unresponsive',
  'sip_486',
  'sip_100',
  'twilio_21211',
  'twilio_http_403',
]);
refuses(report, 'events[0].reason_detail', [
  'model_session_lost',
  '',
  'x',
  'sip_99',
  'sip_700',
  'sip_',
  'twilio_',
  'model',
]);
accepts(report, 'events[0].problems', [
  [{ ...problem, code: 'turn_dropped' }],
  [{ ...problem, code: 'engine_unavailable' }],
]);
refuses(report, 'events[0].problems', [[{ ...problem, code: 'made_up' }], [{ ...problem, code: '' }]]);
integerField(report, 'events[0].age_ms', { min: 0, max: 3_600_000 });
refuses(report, 'epoch', [0, 1.5, '1', null]);
refuses(report, 'seq', [0, 1.5, '1', null]);

const complete: Subject = { cls: WorkerJobComplete, base: { epoch: 1 } };
const turn = { speaker: 'agent', text: 'Hello', started_ms: 0, ended_ms: 900 };
requiredFields(complete, ['epoch']);
accepts(complete, 'transcript', [null, { turns: [] }, { language: 'en', turns: [turn] }]);
accepts(complete, 'input_log', ['AAAA', 'AAA=', 'A'.repeat(128 * 1024)]);
refuses(complete, 'input_log', ['', 'AAA', 'AA A', 'A'.repeat(128 * 1024 + 1), 5, null]);
refuses(complete, 'transcript', [
  [],
  {},
  { turns: {} },
  { turns: [{ ...turn, speaker: 'dog' }] },
  { turns: [{ ...turn, text: null }] },
]);
