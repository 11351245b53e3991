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
  type PublicationFacts,
  type SealedWebhookTool,
  type StoredTool,
} from '@parley/contract';
import type { VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { jsonOf, serviceCaller, type Clock, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import { LRUCache } from 'lru-cache';
import { paidSeconds, type Call } from '../calls';
import type { CallRules } from '../policy';

/** With the model, which says what a worker must be able to do, and the languages that a call may be placed in. */
type StoredFacts = PublicationFacts & Pick<Publication, 'model' | 'languages'>;

interface StoredPublication {
  /** As it is stored. */
  readonly json: string;
  readonly facts: StoredFacts;
}

/** The catalogue is data of a release: old by a minute it is still right. */
const catalogueTrustMs = 60_000;

/** Reads what calls are pinned to. Publications never change, so they are kept: 500 of them, at most 64 MiB. */
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
   * JSON of RuntimeConfiguration for anyone who conducts a call. Header values of its tools are opened for media gateways alone: workers open them under their
   * lease, with the signing secrets.
   * @throws NotFoundError when the publication is gone; internal_error when voice-stack does not answer
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

  /** The rest of the JSON: what the organization's rules say of a call that records, and of one that costs. */
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

  /** JSON of the tuning with the values of tool headers; the text that is pinned where no tool has any. */
  private opened({ organizationId, agentId, tuning: pinned }: Call, tuning: CallTuning): string {
    if (!pinned.includes('"sealed_headers"')) return pinned;
    const tools = tuning.tools.map((tool) => this.openedOf({ organizationId, agentId }, tool));
    return JSON.stringify({ ...tuning, tools });
  }

  /** The header values of a webhook tool of a call. */
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

  /** What a publication says of engine, languages and components. @throws NotFoundError when it is gone */
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
    // Calls of one agent that are placed together ask once.
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
    // Anyone who asks may go away: others wait for the answer.
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

/** JSON of the tuning without values of tool headers; the text that is pinned where no tool has any. */
function hidden({ tuning: pinned }: Call, tuning: CallTuning): string {
  if (!pinned.includes('headers"')) return pinned;
  return JSON.stringify({ ...tuning, tools: tuning.tools.map(shownTool) });
}

/** Only what is looked at again: prompts and tools are long, and are kept as text already. */
function factsOf(publication: Publication): StoredFacts {
  const { voice_frontend, language, starting_language, follow_caller, profiles, first_message } = publication;
  const { transcriber, model, voice } = publication;
  const spoken = { voice_frontend, language, starting_language, follow_caller, profiles, first_message };
  return { ...spoken, languages: publication.languages, transcriber, model, voice };
}
