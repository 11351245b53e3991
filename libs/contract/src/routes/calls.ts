import { CallCreate, CallListQuery, CallPage, CallRecord, TranscriptRecord } from '../objects/call';
import { EventPage } from '../objects/event';
import { ListQuery } from '../objects/page';
import { InputLogRecord, RecordingAudio, RecordingAudioQuery, RecordingRecord } from '../objects/recording';
import { TestCall, TestCallCreate } from '../objects/test-call';
import { TrialCallCreate } from '../objects/trial-call';
import { gatewayRoute, routesOf } from './define';

const route = routesOf('telephony');

export const callRoutes = {
  createCall: route('POST', '/v1/calls', {
    summary: 'Place a call',
    tool: {
      name: 'place_call',
      description:
        'Place an outbound telephone call with an agent. `to` is E.164. The call is queued and dialed by a worker; read it with get_call. A status of policy_blocked or needs_review means that policy refused it or that a person must approve it: no call was made. Send an idempotency_key so that repeating this never calls twice.',
    },
    scope: 'calls:write',
    body: CallCreate,
    answer: CallRecord,
    newWork: true,
    // The call and its events are the record.
    audit: false,
    creates: true,
    errors: [
      'realtime_config_not_runnable',
      'InsufficientBalanceError',
      'NotFoundError',
      'SuspensionError',
      'outbound_call_queue_full',
    ],
  }),
  listCalls: route('GET', '/v1/calls', {
    summary: 'List calls, newest first',
    tool: 'List calls, newest first. Send summary: true first; read one with get_call.',
    scope: 'calls:read',
    query: CallListQuery,
    answer: CallPage,
  }),
  getCall: route('GET', '/v1/calls/{call_id}', {
    summary: 'Read a call',
    tool: 'Read one call: its status, why it ended, times, cost and what policy said.',
    scope: 'calls:read',
    answer: CallRecord,
  }),
  cancelCall: route('POST', '/v1/calls/{call_id}/cancel', {
    summary: 'Cancel a call that has not ended',
    tool: 'Cancel a call that has not ended.',
    scope: 'calls:write',
    answer: CallRecord,
    newWork: false,
    // The call and its events are the record.
    audit: false,
    errors: ['ConflictError'],
  }),
  listCallEvents: route('GET', '/v1/calls/{call_id}/events', {
    summary: 'List the events of a call, oldest first',
    tool: 'List what happened in a call, oldest first.',
    scope: 'calls:read',
    query: ListQuery,
    answer: EventPage,
    etag: false,
  }),
  getTranscript: route('GET', '/v1/calls/{call_id}/transcript', {
    summary: 'Read the transcript of a call',
    tool: 'Read what was said in a call.',
    scope: 'recordings:read',
    answer: TranscriptRecord,
  }),
  getInputLog: route('GET', '/v1/calls/{call_id}/input-log', {
    summary: 'Read the inputs of the rules of a call, for a replay',
    scope: 'recordings:read',
    mcp: false,
    answer: InputLogRecord,
  }),
  getRecording: route('GET', '/v1/calls/{call_id}/recording', {
    summary: 'Read the recording of a call',
    tool: 'Read where the recording of a call is.',
    scope: 'recordings:read',
    answer: RecordingRecord,
  }),
  getRecordingAudio: gatewayRoute('GET', '/v1/calls/{call_id}/recording/audio', {
    summary: 'Read the bytes of the recording of a call, or a range of them',
    scope: 'recordings:read',
    query: RecordingAudioQuery,
    answer: RecordingAudio,
    media: 'audio/*',
    rpc: 'telephony.readRecordingAudio',
    ranged: true,
  }),
  createTrialCall: route('POST', '/v1/trial-calls', {
    summary: 'Make an offline, synthetic call record',
    tool: 'Make an offline, synthetic call record with a chosen outcome, for trying integrations. No call is placed.',
    scope: 'trial_calls:write',
    body: TrialCallCreate,
    answer: CallRecord,
    creates: true,
    newWork: false,
    audit: 'trial_call.created',
    errors: ['NotFoundError'],
  }),
  createTestCall: route('POST', '/v1/agents/{agent_id}/test-calls', {
    summary: 'Start a test call: talk with an agent from a browser',
    // The purpose of the response is to show a secret.
    mcp: false,
    scope: 'calls:write',
    body: TestCallCreate,
    answer: TestCall,
    newWork: true,
    audit: 'test_call.created',
    creates: true,
    errors: ['realtime_config_not_runnable', 'InsufficientBalanceError', 'SuspensionError'],
  }),
};
