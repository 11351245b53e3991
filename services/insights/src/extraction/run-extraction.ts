import { randomUUID } from 'node:crypto';
import type { ExtractionFailure, ExtractionUsage, Publication, Transcript } from '@parley/contract';
import { AppError } from '@parley/errors';
import { documentOf, jsonOf, newTraceparent, serviceCaller, type OutgoingContext } from '@parley/runtime';
import type { StoredConfiguration } from './configurations';
import { findConfiguration } from './configurations.sql';
import type { ExtractionDependencies } from './dependencies';
import { extractByModel, type ModelOutcome } from './extract-by-model';
import type { ExtractionJob } from './jobs.cross-tenant.sql';
import { deferJob, endJob } from './jobs.sql';
import type { Extracted } from './output.rules';
import { extractByRules } from './rule-extraction.rules';
import { linesOf } from './transcript-lines.rules';

/** Maximum number of attempts if a provider is unavailable, and maximum delay between them. */
const most = { attempts: 5, backoffSeconds: 60 } as const;

interface Outcome {
  readonly extracted?: Extracted;
  readonly failure?: ExtractionFailure;
  readonly mayRetry?: boolean;
  readonly model: { readonly provider: string; readonly model: string } | null;
  readonly simulated: boolean;
  readonly usage: ExtractionUsage | null;
}

/**
 * Extracts data from the call of a leased job and sends it to telephony, which stores one result per revision of the agent's extraction. If the job was already
 * done, because its process died or its event was redelivered, telephony already has the result and no model is requested again.
 */
export async function runExtraction(dependencies: ExtractionDependencies, job: ExtractionJob): Promise<void> {
  const { db, telephony } = dependencies;
  const { organizationId, callId, runId } = job;
  const context: OutgoingContext = {
    caller: serviceCaller,
    requestId: randomUUID(),
    traceparent: newTraceparent(),
  };
  const row = await findConfiguration(db, organizationId, job.agentId);
  if (row === undefined || row.document === null) return endJob(db, job, 'skipped');
  const { revision } = row;
  const call = await unlessGone(telephony.readForExtraction({ organizationId, callId, revision }, context));
  if (call === undefined) return endJob(db, job, 'skipped');
  const { recorded } = call;
  if (recorded !== undefined && (recorded.status === 'ready' || recorded.runId === runId))
    return endJob(db, job, recorded.status === 'ready' ? 'ready' : 'failed');
  const outcome = await runModelExtraction(dependencies, JSON.parse(row.document) as StoredConfiguration, {
    organizationId,
    agentId: job.agentId,
    transcript: jsonOf<Transcript>(call.transcript),
    publicationSha256: call.publicationSha256,
    endedReason: call.endedReason,
    context,
  });
  if (outcome.mayRetry === true && job.attempt < most.attempts)
    return deferJob(db, job, Math.min(most.backoffSeconds, 2 ** job.attempt));
  const { extracted, failure = null, model, simulated, usage } = outcome;
  const { data = null, summary = null, sentiment = null, success = null, evidence = [] } = extracted ?? {};
  const body = { reason: failure, data, summary, sentiment, success, evidence, model, simulated, usage };
  const written = await telephony.recordExtraction(
    {
      ...{ organizationId, callId, revision, runId, simulated },
      status: failure === null ? 'ready' : 'failed',
      extraction: documentOf('ExtractionRecord', body),
    },
    context,
  );
  const status = written.recorded?.status;
  await endJob(db, job, status === 'ready' || status === 'failed' ? status : 'skipped');
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NotFoundError') return undefined;
    throw error;
  }
}

interface Given {
  readonly organizationId: string;
  readonly agentId: string;
  readonly transcript: Transcript;
  readonly publicationSha256: string;
  readonly endedReason: string;
  readonly context: OutgoingContext;
}

/** Extracts the configured fields from a transcript with a model. */
export async function runModelExtraction(
  dependencies: ExtractionDependencies,
  { schema, prompt, model: chosen }: StoredConfiguration,
  { organizationId, agentId, transcript, publicationSha256: sha256, endedReason, context }: Given,
): Promise<Outcome> {
  const { voiceStack, models, prices, rules, validators } = dependencies;
  const kept = await unlessGone(voiceStack.getPublication({ organizationId, sha256 }, context));
  const publication = kept && jsonOf<Partial<Publication>>(kept.content);
  const { provider, model: name, options = {} } = chosen ?? publication?.model ?? simulator;
  const model = { provider, model: name };
  const lines = linesOf(transcript);
  const validate = validators.of(schema);
  if (provider === 'simulator') {
    if (!rules) return { failure: 'no_provider', model: null, simulated: false, usage: null };
    const extracted = extractByRules(schema, lines);
    const valid = validate(extracted).length === 0;
    return { ...(valid ? { extracted } : { failure: 'invalid_output' }), model, simulated: true, usage: null };
  }
  const chosenId = chosen?.component_credential_id;
  const componentCredentialId = chosenId ?? (await boundModel(dependencies, { organizationId, agentId, context }));
  const wanted = { provider, componentCredentialId, only: chosenId !== undefined, purpose: 'extraction' };
  const opened = await models.open(organizationId, wanted, context);
  if (opened === undefined) return { failure: 'no_provider', model, simulated: false, usage: null };
  const goal = publication?.system_prompt ?? '';
  const { usage, ...found } = await extractByModel({
    ...{ model: opened.model, name, options, schema, validate, prompt, goal, endedReason, lines },
  });
  return { ...found, model, simulated: false, usage: await priceUsage(usage) };

  async function priceUsage(used: ModelOutcome['usage']): Promise<ExtractionUsage> {
    if (used === undefined) return { input_tokens: null, output_tokens: null, cost_micros: null };
    // If prices are unavailable, the result is stored without a cost.
    const cost_micros = await prices.priceTokens(model, used, context).catch(() => null);
    return { input_tokens: used.inputTokens, output_tokens: used.outputTokens, cost_micros };
  }
}

/** The id of the credential that the agent binds for its model; empty if there is none. */
async function boundModel(
  { agents }: Pick<ExtractionDependencies, 'agents'>,
  { organizationId, agentId, context }: Pick<Given, 'organizationId' | 'agentId' | 'context'>,
): Promise<string> {
  const question = { organizationId, agentId, publicationVersion: 0, connectionIds: [] };
  return (await unlessGone(agents.getCallSecrets(question, context)))?.bindings['llm'] ?? '';
}

const simulator = { provider: 'simulator', model: 'rules', options: {} };
