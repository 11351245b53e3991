import { CallLiveAudio, CallLivePage, CallLiveQuery, LiveAudioListeners, LiveAudioQuery } from '../objects/call-live';
import {
  CallCommandRecord,
  CallMute,
  CallPress,
  CallSay,
  WorkerCommandKept,
  WorkerCommandOutcome,
  WorkerCommands,
  WorkerCommandsRequest,
} from '../objects/live-control';
import { CallTransfer, CallTransferRecord, WorkerTransfer, WorkerTransferState } from '../objects/transfer';
import { gatewayRoute, routesOf } from './define';

const route = routesOf('telephony');

/** The declaration that all actions on a call in progress share. Each request waits for the action's outcome. */
const act = {
  scope: 'calls:write',
  answer: CallCommandRecord,
  creates: true,
  newWork: false,
  waits: true,
  errors: ['ConflictError', 'control_unavailable', 'worker_unreachable'],
} as const;

export const liveControlRoutes = {
  watchCall: gatewayRoute('GET', '/v1/calls/{call_id}/live', {
    summary: 'Follow a call in progress: its states, turns and tools, from its beginning to its end',
    // Not a tool, because models read the transcript instead.
    mcp: false,
    scope: 'recordings:read',
    query: CallLiveQuery,
    answer: CallLivePage,
    rpc: 'telephony.watchCall',
    etag: false,
    eventStream: true,
  }),
  listenToCall: gatewayRoute('GET', '/v1/calls/{call_id}/live/audio', {
    summary: 'Listen in to a call in progress, as a websocket',
    // Not a tool, because the response is audio.
    mcp: false,
    scope: 'recordings:read',
    answer: CallLiveAudio,
    rpc: 'telephony.listenToCall',
    etag: false,
    webSocket: true,
    errors: ['ConflictError', 'control_unavailable', 'worker_unreachable'],
  }),
  sayInCall: route('POST', '/v1/calls/{call_id}/say', {
    ...act,
    summary: 'Have the agent of a call in progress say something',
    audit: 'call.say',
    tool: 'Have the agent of a call in progress say a text word for word, as soon as neither side is speaking. Returns when the worker has taken it.',
    body: CallSay,
  }),
  pressInCall: route('POST', '/v1/calls/{call_id}/press', {
    ...act,
    summary: 'Press keys in a call in progress',
    audit: 'call.press',
    tool: 'Press telephone keys (0-9, * and #) in a call in progress, for a phone menu.',
    body: CallPress,
  }),
  muteInCall: route('POST', '/v1/calls/{call_id}/mute', {
    ...act,
    summary: 'Mute the agent of a call in progress, or let it be heard again',
    audit: 'call.mute',
    tool: 'Mute the agent of a call in progress, or let it be heard again.',
    body: CallMute,
  }),
  pauseRecording: route('POST', '/v1/calls/{call_id}/recording/pause', {
    ...act,
    summary: 'Pause the recording of a call in progress',
    audit: 'call.pause_recording',
    tool: 'Pause the recording of a call in progress: what follows is silence in it.',
  }),
  resumeRecording: route('POST', '/v1/calls/{call_id}/recording/resume', {
    ...act,
    summary: 'Resume the recording of a call in progress',
    audit: 'call.resume_recording',
    tool: 'Resume the recording of a call in progress.',
  }),
  hangUpCall: route('POST', '/v1/calls/{call_id}/hang-up', {
    ...act,
    summary: 'Hang up a call in progress',
    audit: 'call.hang_up',
    tool: 'Hang up a call in progress. It ends with the reason agent_hung_up.',
  }),
  transferCall: route('POST', '/v1/calls/{call_id}/transfer', {
    ...act,
    summary: 'Transfer a call in progress to a number or SIP address',
    audit: 'call.transfer',
    tool: 'Transfer a call in progress to a telephone number or SIP address: cold, or warm with an announcement to the other party. The agent stays until the other party is there; `transfers` of the call show the outcome.',
    body: CallTransfer,
    answer: CallTransferRecord,
    errors: ['ConflictError', 'control_unavailable', 'SuspensionError'],
  }),
};

const workers = ['customer', 'operator', 'hosted', 'hosted_simulation'] as const;

/** Not recorded in the audit log: they carry out what was recorded when it was requested, or what the agent decided. */
export const commandRoutes = {
  takeCommands: route('POST', '/v1/worker-jobs/commands', {
    summary: 'Take the commands for the calls of a worker; waits for the first',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    body: WorkerCommandsRequest,
    answer: WorkerCommands,
    newWork: false,
    audit: false,
    waits: true,
  }),
  transferJob: route('POST', '/v1/worker-jobs/{job_id}/transfers', {
    summary: 'Transfer the call of a lease; waits for the outcome',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    body: WorkerTransfer,
    answer: WorkerTransferState,
    newWork: false,
    audit: false,
    waits: true,
    errors: ['ConflictError', 'control_unavailable', 'SuspensionError'],
  }),
  sendLiveAudio: gatewayRoute('POST', '/v1/worker-jobs/{job_id}/live-audio', {
    summary: 'Send the sound of a call to its listeners',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    upload: 'application/octet-stream',
    query: LiveAudioQuery,
    answer: LiveAudioListeners,
    rpc: 'telephony.checkLease',
    newWork: false,
    audit: false,
    errors: ['ConflictError'],
  }),
  endCommand: route('POST', '/v1/worker-jobs/{job_id}/commands/{command_id}/outcome', {
    summary: 'Report the outcome of a command',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    body: WorkerCommandOutcome,
    answer: WorkerCommandKept,
    newWork: false,
    audit: false,
    errors: ['ConflictError'],
  }),
};
