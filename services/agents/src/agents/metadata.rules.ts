import {
  AgentFollowCaller,
  AgentNavigation,
  AgentOpening,
  validate,
  voiceStackRoute,
  type Agent,
} from '@parley/contract';
import { AppError, invalidField } from '@parley/errors';
import type { AgentDocument, Navigation, Opening } from './agent-document.rules';
import { normaliseFollowCaller } from './languages.rules';
import { meansTheSame, normaliseNavigation } from './navigation.rules';
import { same } from '../same.rules';
import { effectiveOpening } from './tuning.rules';

type Metadata = Readonly<Record<string, unknown>>;
type FollowCaller = NonNullable<AgentDocument['follow_caller']>;

const sectionNames = ['follow_caller', 'opening', 'navigation'] as const;

/** The configuration sections that metadata may contain. */
interface Sections {
  readonly follow_caller?: FollowCaller;
  readonly opening?: Opening;
  readonly navigation?: Navigation;
}

/** Metadata without the configuration sections (`sectionNames`). Only this free-form part is replaced by an update (docs/reference/agents.md#update). */
export function freeMetadata(metadata: Metadata): Metadata {
  return Object.fromEntries(
    Object.entries(metadata).filter(([name]) => !sectionNames.some((section) => section === name)),
  );
}

/** Metadata as reads return it: the free-form part plus the stored sections, so that a client can send back what it read. */
export function visibleMetadata(document: AgentDocument): Metadata {
  const { follow_caller, opening, navigation } = document;
  return {
    ...document.metadata,
    ...(follow_caller === undefined ? {} : { follow_caller }),
    ...(opening === undefined ? {} : { opening }),
    ...(navigation === undefined ? {} : { navigation }),
  };
}

/** The sections in a create body: at the top level, or in metadata as in reads. If both are sent and differ, 400 naming the field. */
export function sectionsAtCreation(body: Agent): Sections {
  const metadata: Sections = body.metadata ?? {};
  if (
    body.follow_caller !== undefined &&
    metadata.follow_caller !== undefined &&
    !sameFollowCaller(body.follow_caller, metadata.follow_caller)
  ) {
    throw invalidField('metadata.follow_caller', 'conflict_with', 'differs from follow_caller');
  }
  if (body.opening !== undefined && metadata.opening !== undefined && !sameOpening(body.opening, metadata.opening)) {
    throw invalidField('metadata.opening', 'conflict_with', 'differs from opening');
  }
  const opening = body.opening ?? metadata.opening;
  return {
    follow_caller: body.follow_caller ?? metadata.follow_caller,
    opening: opening === undefined || Object.keys(opening).length === 0 ? undefined : opening,
    navigation: metadata.navigation === undefined ? undefined : normaliseNavigation(metadata.navigation),
  };
}

/** Omitted sections stay as stored. A different value is refused; the error names the voice-stack route (docs/reference/agents.md#update). */
export function checkKeptSections(metadata: Metadata, stored: AgentDocument): void {
  const sent = sectionsOf(metadata);
  if (sent.follow_caller !== undefined && !sameFollowCaller(sent.follow_caller, stored.follow_caller))
    throw elsewhere('follow_caller');
  if (sent.opening !== undefined && !sameOpening(sent.opening, stored.opening)) throw elsewhere('opening');
  if (sent.navigation !== undefined && !meansTheSame(sent.navigation, stored.navigation)) throw elsewhere('navigation');
}

/** Returns the sections in an update's metadata. A malformed one cannot be the stored one, so the answer names the route that changes it. */
function sectionsOf(metadata: Metadata): Sections {
  return {
    follow_caller: section(AgentFollowCaller, metadata.follow_caller, 'follow_caller'),
    opening: section(AgentOpening, metadata.opening, 'opening'),
    navigation: section(AgentNavigation, metadata.navigation, 'navigation'),
  };
}

function section<T extends object>(cls: new () => T, value: unknown, name: string): T | undefined {
  if (value === undefined) return undefined;
  if (value === null && name !== 'navigation') throw elsewhere(name);
  try {
    return validate(cls, value ?? {}, { path: `metadata.${name}` }).value;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'navigation_enabled_required') throw elsewhere(name);
    // Two rules apply: the section needs its switch, and it is changed by another route.
    throw new AppError(error.code, `${error.message}; it is changed by ${voiceStackRoute}`, { fields: error.fields });
  }
}

const elsewhere = (name: string): AppError =>
  invalidField(`metadata.${name}`, 'wrong_route', `cannot be changed here: use ${voiceStackRoute}`);

const sameFollowCaller = (left: FollowCaller, right: FollowCaller | undefined): boolean =>
  same(normaliseFollowCaller(left), normaliseFollowCaller(right ?? { enabled: false }));

const sameOpening = (left: Opening, right: Opening | undefined): boolean =>
  same(effectiveOpening(left), effectiveOpening(right));
