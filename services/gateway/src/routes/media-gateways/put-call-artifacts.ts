import { routes } from '@parley/contract';
import { documentOf } from '@parley/runtime';
import { callAnswer } from '../../render/call';
import { route } from '../../route';

export default route(routes.putCallArtifacts, async ({ params, body, organizationId, clients, context }) => {
  const { transcript, recording } = body.fields();
  const request = {
    organizationId,
    callId: params.call_id,
    transcript: transcript ? documentOf('Transcript', transcript) : undefined,
    recording: recording ? documentOf('RecordingUpload', recording) : undefined,
  };
  return callAnswer(await clients.telephony.putCallArtifacts(request, context));
});
