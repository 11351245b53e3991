import { routes } from '@parley/contract';
import { documentOf } from '@parley/runtime';
import { jsonAnswer } from '../../answer';
import { completeAnswer } from '../../render/worker-job';
import { route } from '../../route';

export default route(routes.completeWorkerJob, async ({ params, body, organizationId, clients, context }) => {
  const { epoch, transcript, recording, classification, classification_detail: classificationDetail } = body.fields();
  const request = {
    organizationId,
    jobId: params.job_id,
    epoch: String(epoch),
    transcript: transcript ? documentOf('Transcript', transcript) : undefined,
    recording: recording ? documentOf('RecordingUpload', recording) : undefined,
    classification: classification ?? '',
    classificationDetail: classificationDetail ?? '',
  };
  return jsonAnswer(completeAnswer(await clients.telephony.completeJob(request, context)));
});
