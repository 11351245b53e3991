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
import { route } from './define';

/** The declaration that all actions on a call in progress share. Each request waits for the action's outcome. */
const act = {
  method: 'POST',
  scope: 'calls:write',
  answer: CallCommandRecord,
  service: 'telephony',
  byId: 'call_id',
  creates: true,
  newWork: false,
  waits: true,
  errors: ['ConflictError', 'control_unavailable', 'worker_unreachable'],
} as const;

export const liveControlRoutes = {
  watchCall: route({
    id: 'watch-call',
    method: 'GET',
    path: '/v1/calls/{call_id}/live',
    summary: 'Follow a call in progress: its states, turns and tools, from its beginning to its end',
    // Not a tool, because models read the transcript instead.
    mcp: false,
    scope: 'recordings:read',
    query: CallLiveQuery,
    answer: CallLivePage,
    rpc: 'telephony.watchCall',
    byId: 'call_id',
    etag: false,
    eventStream: true,
  }),
  listenToCall: route({
    id: 'listen-to-call',
    method: 'GET',
    path: '/v1/calls/{call_id}/live/audio',
    summary: 'Listen in to a call in progress, as a websocket',
    // Not a tool, because the response is audio.
    mcp: false,
    scope: 'recordings:read',
    answer: CallLiveAudio,
    rpc: 'telephony.listenToCall',
    byId: 'call_id',
    etag: false,
    webSocket: true,
    errors: ['ConflictError', 'control_unavailable', 'worker_unreachable'],
  }),
  sayInCall: route({
    ...act,
    id: 'say-in-call',
    path: '/v1/calls/{call_id}/say',
    summary: 'Have the agent of a call in progress say something',
    tool: {
      description:
        'Have the agent of a call in progress say a text word for word, as soon as neither side is speaking. Returns when the worker has taken it.',
    },
    body: CallSay,
  }),
  pressInCall: route({
    ...act,
    id: 'press-in-call',
    path: '/v1/calls/{call_id}/press',
    summary: 'Press keys in a call in progress',
    tool: { description: 'Press telephone keys (0-9, * and #) in a call in progress, for a phone menu.' },
    body: CallPress,
  }),
  muteInCall: route({
    ...act,
    id: 'mute-in-call',
    path: '/v1/calls/{call_id}/mute',
    summary: 'Mute the agent of a call in progress, or let it be heard again',
    tool: { description: 'Mute the agent of a call in progress, or let it be heard again.' },
    body: CallMute,
  }),
  pauseRecording: route({
    ...act,
    id: 'pause-recording',
    path: '/v1/calls/{call_id}/recording/pause',
    summary: 'Pause the recording of a call in progress',
    tool: { description: 'Pause the recording of a call in progress: what follows is silence in it.' },
  }),
  resumeRecording: route({
    ...act,
    id: 'resume-recording',
    path: '/v1/calls/{call_id}/recording/resume',
    summary: 'Resume the recording of a call in progress',
    tool: { description: 'Resume the recording of a call in progress.' },
  }),
  hangUpCall: route({
    ...act,
    id: 'hang-up-call',
    path: '/v1/calls/{call_id}/hang-up',
    summary: 'Hang up a call in progress',
    tool: { description: 'Hang up a call in progress. It ends with the reason agent_hung_up.' },
  }),
  transferCall: route({
    ...act,
    id: 'transfer-call',
    path: '/v1/calls/{call_id}/transfer',
    summary: 'Transfer a call in progress to a number or SIP address',
    tool: {
      description:
        'Transfer a call in progress to a telephone number or SIP address: cold, or warm with an announcement to the other party. The agent stays until the other party is there; `transfers` of the call show the outcome.',
    },
    body: CallTransfer,
    answer: CallTransferRecord,
    errors: ['ConflictError', 'control_unavailable', 'SuspensionError'],
  }),
};

const workers = ['customer', 'operator', 'hosted', 'hosted_simulation'] as const;

export const commandRoutes = {
  takeCommands: route({
    id: 'take-commands',
    method: 'POST',
    path: '/v1/worker-jobs/commands',
    summary: 'Take the commands for the calls of a worker; waits for the first',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    body: WorkerCommandsRequest,
    answer: WorkerCommands,
    service: 'telephony',
    newWork: false,
    waits: true,
  }),
  transferJob: route({
    id: 'transfer-job',
    method: 'POST',
    path: '/v1/worker-jobs/{job_id}/transfers',
    summary: 'Transfer the call of a lease; waits for the outcome',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    body: WorkerTransfer,
    answer: WorkerTransferState,
    service: 'telephony',
    byId: 'job_id',
    newWork: false,
    waits: true,
    errors: ['ConflictError', 'control_unavailable', 'SuspensionError'],
  }),
  sendLiveAudio: route({
    id: 'send-live-audio',
    method: 'POST',
    path: '/v1/worker-jobs/{job_id}/live-audio',
    summary: 'Send the sound of a call to its listeners',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    upload: 'application/octet-stream',
    query: LiveAudioQuery,
    answer: LiveAudioListeners,
    rpc: 'telephony.checkLease',
    byId: 'job_id',
    newWork: false,
    errors: ['ConflictError'],
  }),
  endCommand: route({
    id: 'end-command',
    method: 'POST',
    path: '/v1/worker-jobs/{job_id}/commands/{command_id}/outcome',
    summary: 'Report the outcome of a command',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    body: WorkerCommandOutcome,
    answer: WorkerCommandKept,
    service: 'telephony',
    byId: 'job_id',
    newWork: false,
    errors: ['ConflictError'],
  }),
};
