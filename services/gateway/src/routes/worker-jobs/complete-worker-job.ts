import { routes } from '@parley/contract';
import { documentOf } from '@parley/runtime';
import { jsonAnswer } from '../../answer';
import { completeAnswer } from '../../render/worker-job';
import { route } from '../../route';

export default route(routes.completeWorkerJob, async ({ params, body, organizationId, clients, context }) => {
  const { fields, refusal } = body.judged();
  const { epoch = 0, transcript, recording, classification, classification_detail: classificationDetail } = fields;
  const request = {
    organizationId,
    jobId: params.job_id,
    epoch: String(epoch),
    transcript: transcript ? documentOf('Transcript', transcript) : undefined,
    recording: recording ? documentOf('RecordingUpload', recording) : undefined,
    classification: classification ?? '',
    classificationDetail: classificationDetail ?? '',
    refusal,
  };
  return jsonAnswer(completeAnswer(await clients.telephony.completeJob(request, context)));
});
