import { routes } from '@parley/contract';
import { socketAnswer } from '../http';
import { Listener, startOf } from '../listening';
import { route } from './route';
import { wholeUpload } from './uploads';

/** Longer than telephony waits for the worker. */
const deadlineMs = 10_000;

/** The audio is requested from the worker before the upgrade, so that a failure is sent as an error and not on a WebSocket. */
export const listenToCall = route(routes.listenToCall, async (request) => {
  const { params, organizationId, caller, clients, context, stream, liveSound } = request;
  const callId = params.call_id;
  if (stream === undefined) {
    await clients.telephony.listenToCall({ organizationId, callId, again: false, checkOnly: true }, context);
    return { body: JSON.stringify(startOf(callId)) };
  }
  await stream.admit(caller);
  const ask = (by: typeof caller, again: boolean) =>
    clients.telephony.listenToCall(
      { organizationId, callId, again, checkOnly: false },
      {
        requestId: context.requestId,
        traceparent: context.traceparent,
        caller: by,
        client: context.client,
        signal: stream.signal,
      },
      { deadlineMs },
    );
  const { signal, callerNow } = stream;
  const listener = new Listener({
    callId,
    signal,
    callerNow,
    again: async () => ask(await callerNow(), true),
    off: () => off(),
  });
  const off = liveSound.listen(callId, listener.take);
  try {
    await ask(caller, false);
  } catch (error) {
    off();
    throw error;
  }
  return socketAnswer((socket) => listener.serve(socket));
});

/** Forwards audio from the worker that has the call's lease. Nothing is stored. */
export const sendLiveAudio = route(
  routes.sendLiveAudio,
  async ({ params, query, body, organizationId, clients, context, liveSound }) => {
    const sound = await wholeUpload(body);
    const lease = { organizationId, jobId: params.job_id, epoch: String(query.epoch ?? 0) };
    const { callId } = await clients.telephony.checkLease(lease, context);
    return { body: JSON.stringify({ listeners: await liveSound.publish(callId, sound) }) };
  },
);
