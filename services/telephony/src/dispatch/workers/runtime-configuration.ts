import {
  catalogueFacts,
  effectiveTuning,
  nameOfTool,
  openedTool,
  sealedHeaderContext,
  shownTool,
  type AgentTool,
  type CallTuning,
  type CatalogueDocument,
  type CatalogueFacts,
  type Publication,
  type SealedWebhookTool,
  type StoredTool,
} from '@parley/contract';
import type { VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { jsonOf, serviceCaller, type Clock, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import { LRUCache } from 'lru-cache';
import { paidSeconds, type Call } from '../../books';
import type { CallRules } from '../../policy';
import type { StoredFacts } from '../../telephony';

interface StoredPublication {
  /** The publication's JSON as stored. */
  readonly json: string;
  readonly facts: StoredFacts;
}

/** The catalogue changes only with a release, so data that is a minute old does no harm. */
const catalogueTrustMs = 60_000;

/** Reads the publications to which calls are pinned. Publications never change, so they are cached: up to 500, at most 64 MiB. */
export class RuntimeConfigurations {
  private readonly publications = new LRUCache<string, StoredPublication>({
    max: 500,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ json }) => json.length * 2,
  });
  private readonly reading = new Map<string, Promise<StoredPublication>>();
  private catalogue: { readonly facts: CatalogueFacts; readonly readAtMs: number } | undefined;

  constructor(
    private readonly voiceStack: Pick<GrpcClient<VoiceStackServiceServer>, 'getPublication' | 'getCatalogue'>,
    private readonly clock: Clock,
    private readonly vault: Pick<Vault, 'open'>,
    private readonly rulesOf: (organizationId: string, language: string) => Promise<CallRules>,
  ) {}

  /**
   * JSON of a call's RuntimeConfiguration. Header values of its tools are decrypted only for media gateways; workers request them with the signing secrets
   * under their lease.
   * @throws NotFoundError if the publication no longer exists; internal_error if voice-stack does not respond
   */
  async of(call: Call, context: OutgoingContext, headers: 'hidden' | 'opened' = 'hidden'): Promise<string> {
    const publication = await this.publication(call.organizationId, call.publicationSha256, context);
    const tuning = JSON.parse(call.tuning) as CallTuning;
    const effective = effectiveTuning({
      channel: call.channel,
      direction: call.direction,
      hosted: call.mode === 'hosted',
      language: call.language,
      publication: publication.facts,
      tuning,
      catalogue: await this.catalogueFacts(context),
    });
    const values = JSON.stringify(effective);
    const byPolicy = await this.byPolicy(call, publication.facts);
    return `{"publication":${publication.json},"tuning":${headers === 'opened' ? this.opened(call, tuning) : hidden(call, tuning)},"effective":${values},"variables":${call.variables},"mode":${JSON.stringify(call.mode)}${byPolicy}}`;
  }

  /** The part of the JSON that depends on the organization's policy: the recording announcement and the maximum cost. */
  private async byPolicy(
    { organizationId, recordingEnabled, costMicrosPerMinute, language }: Call,
    { language: spoken, starting_language: starting }: StoredFacts,
  ): Promise<string> {
    if (!recordingEnabled && costMicrosPerMinute <= 0) return '';
    const { announcement: text, mostMicros } = await this.rulesOf(organizationId, language ?? starting ?? spoken ?? '');
    const seconds = mostMicros === undefined ? undefined : paidSeconds(mostMicros, costMicrosPerMinute);
    return [
      text === undefined || !recordingEnabled
        ? ''
        : `,"recording_announcement":${JSON.stringify(text === null ? null : { text })}`,
      seconds === undefined ? '' : `,"spend_cap_seconds":${seconds}`,
    ].join('');
  }

  /** JSON of the tuning with decrypted values of tool headers; the pinned text is returned unchanged if no tool has any. */
  private opened({ organizationId, agentId, tuning: pinned }: Call, tuning: CallTuning): string {
    if (!pinned.includes('"sealed_headers"')) return pinned;
    const tools = tuning.tools.map((tool) => this.openedOf({ organizationId, agentId }, tool));
    return JSON.stringify({ ...tuning, tools });
  }

  /** The decrypted header values of a call's webhook tool. */
  toolHeaders(call: Pick<Call, 'organizationId' | 'agentId'>, tool: SealedWebhookTool): Record<string, string> {
    const opened = this.openedOf(call, tool);
    return typeof opened === 'object' && opened.type === 'webhook' ? { ...opened.headers } : {};
  }

  private openedOf({ organizationId, agentId }: Pick<Call, 'organizationId' | 'agentId'>, tool: StoredTool): AgentTool {
    return openedTool(tool, (header, sealed) =>
      this.vault
        .open(Buffer.from(sealed, 'base64'), sealedHeaderContext(organizationId, agentId, nameOfTool(tool), header))
        .toString('utf8'),
    );
  }

  /** The engine, languages and components of a publication. @throws NotFoundError if it no longer exists */
  async loadFacts(organizationId: string, sha256: string, context: OutgoingContext): Promise<StoredFacts> {
    return (await this.publication(organizationId, sha256, context)).facts;
  }

  private async publication(
    organizationId: string,
    sha256: string,
    context: OutgoingContext,
  ): Promise<StoredPublication> {
    const key = `${organizationId} ${sha256}`;
    const known = this.publications.get(key) ?? this.reading.get(key);
    if (known !== undefined) return known;
    // Concurrent calls of one agent share one request.
    const reading = this.readPublication(organizationId, sha256, context).finally(() => this.reading.delete(key));
    this.reading.set(key, reading);
    const stored = await reading;
    this.publications.set(key, stored);
    return stored;
  }

  private async readPublication(
    organizationId: string,
    sha256: string,
    { caller = serviceCaller, requestId, traceparent }: OutgoingContext,
  ): Promise<StoredPublication> {
    // The first caller's abort signal is not used, because others may be waiting for the same response.
    const context = { caller, requestId, ...(traceparent !== undefined && { traceparent }) };
    const { content } = await this.voiceStack.getPublication({ organizationId, sha256 }, context);
    return { json: content?.json.toString('utf8') ?? 'null', facts: factsOf(jsonOf<Publication>(content)) };
  }

  private async catalogueFacts(context: OutgoingContext): Promise<CatalogueFacts> {
    const now = this.clock.monotonicMs();
    if (this.catalogue !== undefined && now - this.catalogue.readAtMs < catalogueTrustMs) return this.catalogue.facts;
    const { catalogue } = await this.voiceStack.getCatalogue({}, context);
    const facts = catalogueFacts(jsonOf<CatalogueDocument>(catalogue));
    this.catalogue = { facts, readAtMs: now };
    return facts;
  }
}

/** JSON of the tuning without the values of tool headers; the pinned text is returned unchanged if no tool has any. */
function hidden({ tuning: pinned }: Call, tuning: CallTuning): string {
  if (!pinned.includes('headers"')) return pinned;
  return JSON.stringify({ ...tuning, tools: tuning.tools.map(shownTool) });
}

/** Keeps only the fields that are read again: prompts and tools are long, and are already cached as text. */
function factsOf(publication: Publication): StoredFacts {
  const { voice_frontend, language, starting_language, follow_caller, profiles, first_message } = publication;
  const { transcriber, model, voice } = publication;
  const spoken = { voice_frontend, language, starting_language, follow_caller, profiles, first_message };
  return { ...spoken, languages: publication.languages, transcriber, model, voice };
}
