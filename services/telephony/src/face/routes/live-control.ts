import type { CommandType } from '@parley/contract';
import type { PublicCall } from '@parley/service';
import { commandsFor, recordOutcome, sendCommand, sendTransfer, transferJob } from '../../lines';
import { creation, group, type Served } from './group';

/** Routes that control calls in progress, including those through which workers receive the commands. */
export function liveControlHandlers({ telephony, draining }: Served) {
  const give = (call: PublicCall, callId: string, type: CommandType, fields: () => object = () => ({})) =>
    sendCommand(telephony, { ...creation(call), callId, type, fields }, call.context);
  return group({
    sayInCall: (call) => give(call, call.params.call_id, 'say', () => call.body()),
    pressInCall: (call) => give(call, call.params.call_id, 'press', () => call.body()),
    muteInCall: (call) => give(call, call.params.call_id, 'mute', () => call.body()),
    pauseRecording: (call) => give(call, call.params.call_id, 'pause_recording'),
    resumeRecording: (call) => give(call, call.params.call_id, 'resume_recording'),
    hangUpCall: (call) => give(call, call.params.call_id, 'hang_up'),
    transferCall: (call) =>
      sendTransfer(
        telephony,
        { ...creation(call), callId: call.params.call_id, fields: () => call.body() },
        call.context,
      ),
    async transferJob(call) {
      telephony.workerHeard();
      const input = { organizationId: call.organizationId, jobId: call.params.job_id, fields: () => call.body() };
      return { body: await transferJob(telephony, input, AbortSignal.any([call.context.signal, draining])) };
    },
    async takeCommands(call) {
      telephony.workerHeard();
      const { worker_id: workerId, wait_seconds: waitSeconds = 0, held = [] } = call.body();
      const taking = { organizationId: call.organizationId, workerId, held };
      const signal = AbortSignal.any([call.context.signal, draining]);
      return { body: await commandsFor(telephony, taking, waitSeconds * 1_000, signal) };
    },
    async endCommand(call) {
      telephony.workerHeard();
      const { job_id: jobId, command_id: commandId } = call.params;
      const input = { organizationId: call.organizationId, jobId, commandId, fields: () => call.body() };
      return { body: await recordOutcome(telephony, input) };
    },
  });
}
