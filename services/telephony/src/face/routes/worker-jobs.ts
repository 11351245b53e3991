import {
  declaredCapabilities,
  type WorkerCapabilities,
  type WorkerHeartbeatAnswer,
  type WorkerReportAnswer,
} from '@parley/contract';
import { badRequest } from '@parley/errors';
import { requireJobKinds, requireOperator } from '@parley/service';
import { grantHandOver, noteWorkerSlots } from '../../lines';
import {
  adoptionTokenKeys,
  heartbeat,
  leaseTimesOf,
  type LeaseState,
  type ReportAnswer,
  renderCall,
} from '../../books';
import {
  artifactsOf,
  adoptJob,
  claimJobs,
  type ClaimedWork,
  completeJob,
  completeJobRecording,
  listJobPage,
  reportJob,
  reportTurns,
  queryKnowledge,
  beginToolCall,
  endToolCall,
  leaseCallCredentials,
  listWorkerPage,
  openWorkerCredentials,
} from '../../dispatch';
import { sendWorkerMessage } from '../../messages';
import { group, type Served } from './group';

/** @throws BadRequestError for non-canonical base64, because decoders differ in how they interpret it */
function bytesOf(log: string | undefined): Buffer | undefined {
  if (log === undefined) return undefined;
  const bytes = Buffer.from(log, 'base64');
  if (bytes.toString('base64') !== log) throw badRequest('input_log must be base64 with its padding');
  return bytes;
}

/**
 * The capabilities of a worker whose claim declares none. Such a worker is of a release from before capabilities were introduced, which supported exactly
 * these.
 */
const undeclared: WorkerCapabilities = {
  carriers: ['simulator'],
  modes: ['hosted'],
  engines: ['cascade'],
  providers: { stt: ['simulator'], llm: ['simulator'], tts: ['simulator'] },
  tools: ['end_call'],
};

/** Routes for jobs of organizations' own workers, and of hosted workers, which serve all organizations. */
export function workerJobHandlers({ telephony, queue, configurations, draining }: Served) {
  const { leaseSeconds } = telephony.settings;
  const { claimWaitMs } = leaseTimesOf(leaseSeconds);
  return group({
    async claimWorkerJobs(call) {
      const { caller, organizationId, context } = call;
      const {
        kinds,
        capacity,
        worker_id: workerId,
        wait_seconds: waitSeconds = 0,
        capabilities: declared,
        line_slots: slots,
      } = call.body();
      requireJobKinds(caller, kinds);
      telephony.workerHeard();
      await noteWorkerSlots(telephony, organizationId, workerId, slots);
      const waitMs = Math.min(waitSeconds * 1_000, claimWaitMs);
      const capabilities = declaredCapabilities(declared ?? undeclared);
      const declaration = await telephony.workers.declare(organizationId, kinds, capabilities);
      const claim = { caller, organizationId, kinds, workerId, capacity, waitMs, capabilities, declaration };
      // When this process drains, waiting workers get a response without a job; their next request goes to another process.
      const signal = AbortSignal.any([context.signal, draining]);
      const work = await claimJobs(telephony, queue, configurations, claim, { ...context, signal });
      const jobs = work.map((job) => renderJob(job, leaseSeconds)).join(',');
      return { body: `{"jobs":[${jobs}],"token_keys":${JSON.stringify(adoptionTokenKeys(telephony.vault))}}` };
    },
    async listWorkers({ caller, organizationId, query }) {
      requireOperator(caller);
      return { body: await listWorkerPage(telephony, organizationId, query) };
    },
    async listWorkerJobs({ caller, organizationId, query }) {
      requireOperator(caller);
      return { body: await listJobPage(telephony, organizationId, query) };
    },
    async adoptWorkerJob(call) {
      const { caller, organizationId } = call;
      const { token, worker_id: workerId, capabilities: declared } = call.body();
      requireJobKinds(caller, ['call']);
      telephony.workerHeard();
      const capabilities = declaredCapabilities(declared);
      const declaration = await telephony.workers.declare(organizationId, ['call'], capabilities);
      const adoption = { organizationId, token, workerId, capabilities, declaration };
      return { body: renderJob(await adoptJob(telephony, configurations, adoption, call.context), leaseSeconds) };
    },
    async heartbeatWorkerJobs(call) {
      telephony.workerHeard();
      const { worker_id: workerId, line_slots: slots, leases: named } = call.body();
      await noteWorkerSlots(telephony, call.organizationId, workerId, slots);
      const leases = named.map(({ job_id: jobId, epoch }) => ({ jobId, epoch: String(epoch) }));
      const states = await heartbeat(telephony, call.organizationId, leases);
      return { body: { leases: states.map(renderLease) } satisfies WorkerHeartbeatAnswer };
    },
    async reportWorkerJob(call) {
      telephony.workerHeard();
      const { organizationId, params } = call;
      const input = { organizationId, jobId: params.job_id, report: () => call.body() };
      return { body: renderReport(await reportJob(telephony, input, call.context)) };
    },
    async completeWorkerJob(call) {
      telephony.workerHeard();
      const completion = () => {
        const { epoch, classification = '', classification_detail: classificationDetail = '', ...rest } = call.body();
        const finding = {
          classification,
          classificationDetail,
          mailboxProof: rest.mailbox_proof ?? null,
          proofWithdrawnBy: rest.proof_withdrawn_by ?? null,
        };
        return { epoch, finding, artifacts: artifactsOf(rest), inputLog: bytesOf(rest.input_log) };
      };
      const input = { organizationId: call.organizationId, jobId: call.params.job_id, completion };
      return { body: { call_status: await completeJob(telephony, input, call.context) } };
    },
    async openWorkerCredentials(call) {
      telephony.workerHeard();
      const input = { organizationId: call.organizationId, jobId: call.params.job_id, fields: () => call.body() };
      return { body: await openWorkerCredentials({ ...telephony, configurations }, input, call.context) };
    },
    async leaseComponentCredentials(call) {
      const input = { organizationId: call.organizationId, fields: () => call.body() };
      return { body: await leaseCallCredentials({ ...telephony, configurations }, input, call.context) };
    },
    async beginToolCall(call) {
      telephony.workerHeard();
      const input = { organizationId: call.organizationId, jobId: call.params.job_id, fields: () => call.body() };
      return { body: await beginToolCall(telephony, input) };
    },
    async endToolCall(call) {
      telephony.workerHeard();
      const { job_id: jobId, tool_call_id: toolCallId } = call.params;
      const input = { organizationId: call.organizationId, jobId, toolCallId, fields: () => call.body() };
      return { body: await endToolCall(telephony, input) };
    },
    async sendWorkerMessage(call) {
      telephony.workerHeard();
      const input = { organizationId: call.organizationId, jobId: call.params.job_id, fields: () => call.body() };
      const { body } = await sendWorkerMessage(telephony, input, call.context);
      return { body };
    },
    async queryWorkerKnowledge(call) {
      telephony.workerHeard();
      const input = { organizationId: call.organizationId, jobId: call.params.job_id, fields: () => call.body() };
      return { body: await queryKnowledge(telephony, input, call.context) };
    },
    async reportTurns(call) {
      telephony.workerHeard();
      const input = { organizationId: call.organizationId, jobId: call.params.job_id, fields: () => call.body() };
      return { body: await reportTurns(telephony, input) };
    },
    async requestHandOver(call) {
      telephony.workerHeard();
      const input = { organizationId: call.organizationId, jobId: call.params.job_id, fields: () => call.body() };
      return { body: await grantHandOver(telephony, input) };
    },
    async completeRecording(call) {
      telephony.workerHeard();
      const input = { organizationId: call.organizationId, jobId: call.params.job_id, fields: () => call.body() };
      return { body: await completeJobRecording(telephony, input) };
    },
  });
}

/** JSON of WorkerJob. The call and its runtime configuration may have 10 KB and more: their stored JSON is inserted as text, without parsing it. */
function renderJob(
  {
    jobId,
    kind,
    epoch,
    call,
    runtimeConfiguration,
    resume,
  }: Omit<ClaimedWork, 'claimedMs'> & { resume?: string | undefined },
  leaseSeconds: number,
): string {
  const head = JSON.stringify({ job_id: jobId, kind, epoch: Number(epoch), lease_seconds: leaseSeconds });
  const rest = resume === undefined ? '' : `,"resume":${resume}`;
  return `${head.slice(0, -1)},"call":${renderCall(call)},"runtime_configuration":${runtimeConfiguration}${rest}}`;
}

const renderLease = ({ jobId, epoch, state, cancelRequested }: LeaseState) => ({
  job_id: jobId,
  epoch: Number(epoch),
  state,
  cancel_requested: cancelRequested,
});

export const renderReport = ({ callStatus, cancelRequested }: ReportAnswer): WorkerReportAnswer => ({
  call_status: callStatus,
  cancel_requested: cancelRequested,
});
