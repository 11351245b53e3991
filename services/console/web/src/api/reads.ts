import type {
  AgentConfiguration,
  AgentEndpointRecord,
  AgentKnowledgeBasesRecord,
  AgentReadiness,
  AgentCatalogue,
  AgentView,
  ApiKeyRecord,
  CallRecord,
  CallAnalytics,
  CallSummary,
  ComponentCredentialRecord,
  ControlsRecord,
  DeliverySummaryPage,
  KeyCollection,
  KnowledgeBaseRecord,
  NumberRecord,
  PublicationSummary,
  SimulationRun,
  SimulationRunSummaryPage,
  SimulationSuite,
  SipTrunkRecord,
  TranscriptRecord,
  WalletRecord,
} from '@parley/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiError, read, readWithEtag, type Query } from './request';

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
  /** Set if the records were dropped because they are far from those that are shown: how many they were. */
  dropped?: number;
}

const orUndefined = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return null;
    throw error;
  }
};

/** A call that the list read in short, or that an event read whole. */
export type ListedCall = CallRecord | CallSummary;

/** What a row of the list shows, in a quarter of the bytes. */
export const inShort = { summary: true, limit: 100 } as const;

const readCalls = (filters: Query, cursor: string | undefined, signal: AbortSignal): Promise<Page<ListedCall>> =>
  read('/v1/calls', { query: { ...filters, ...inShort, cursor }, signal });

/** A page of the list that was dropped. */
export const droppedCallsQuery = (filters: Query, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['dropped-calls', filters, cursor],
    queryFn: ({ signal }) => readCalls(filters, cursor, signal),
    gcTime: 0,
  });

export const callsQuery = (filters: Query) =>
  infiniteQueryOptions({
    queryKey: ['calls', filters],
    queryFn: ({ pageParam, signal }) => readCalls(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    // Events keep it up to date, and to read it again is a request for each page that was read.
    refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= 3,
    // A new page would be compared with all pages before it.
    structuralSharing: false,
  });

const live = new Set(['scheduled', 'queued', 'dialing', 'answered', 'ended']);
export const isGoingOn = ({ status }: CallRecord): boolean => live.has(status);

/** Updated by events; the interval is for keys that may not read them. */
export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['call', id],
    queryFn: ({ signal }) => read<CallRecord>(`/v1/calls/${id}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isGoingOn(data) ? 3_000 : false),
  });

/** Null: there is none yet, or the key may not read it. */
export const transcriptQuery = (id: string) =>
  queryOptions({
    queryKey: ['call', id, 'transcript'],
    queryFn: ({ signal }) => orUndefined(read<TranscriptRecord>(`/v1/calls/${id}/transcript`, { signal })),
  });

export const agentQuery = (id: string) =>
  queryOptions({ queryKey: ['agent', id], queryFn: ({ signal }) => read<AgentView>(`/v1/agents/${id}`, { signal }) });

/** Lists that are shown whole are read whole: so many pages of 100 at most. */
const mostPages = 20;

export async function readAll<T>(
  path: string,
  signal: AbortSignal,
  query: Query = {},
): Promise<{ readonly data: readonly T[] }> {
  const data: T[] = [];
  let cursor: string | undefined;
  for (let n = 0; n < mostPages; n += 1) {
    const page = await read<{ data: T[]; next_cursor: string | null }>(path, {
      query: { ...query, limit: 100, cursor },
      signal,
    });
    data.push(...page.data);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return { data };
}

export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: ({ signal }) => readAll<AgentView>('/v1/agents', signal),
  staleTime: 60_000,
});

export const numbersQuery = queryOptions({
  queryKey: ['numbers'],
  queryFn: ({ signal }) => readAll<NumberRecord>('/v1/numbers', signal),
});

export const knowledgeBasesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['knowledge-bases', projectId],
    queryFn: ({ signal }) => readAll<KnowledgeBaseRecord>('/v1/knowledge-bases', signal, { project_id: projectId }),
  });

export const agentKnowledgeQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent', id, 'knowledge-bases'],
    queryFn: ({ signal }) => read<AgentKnowledgeBasesRecord>(`/v1/agents/${id}/knowledge-bases`, { signal }),
  });

export const trunksQuery = queryOptions({
  queryKey: ['trunks'],
  queryFn: ({ signal }) => readAll<SipTrunkRecord>('/v1/sip-trunks', signal),
});

export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: ({ signal }) => readAll<ComponentCredentialRecord>('/v1/component-credentials', signal),
});

export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => read<AgentCatalogue>('/v1/agent-catalog', { signal }),
  staleTime: 10 * 60_000,
});

export const suitesQuery = queryOptions({
  queryKey: ['suites'],
  queryFn: ({ signal }) => readAll<SimulationSuite>('/v1/simulation-suites', signal),
});

export const suiteQuery = (id: string) =>
  queryOptions({
    queryKey: ['suite', id],
    queryFn: ({ signal }) => readWithEtag<SimulationSuite>(`/v1/simulation-suites/${id}`, { signal }),
  });

const isUnderWay = ({ status }: Pick<SimulationRun, 'status'>): boolean => status === 'queued' || status === 'running';

/** Runs have no events: while one is under way, they are polled. */
export const runsQuery = (suiteId: string) =>
  queryOptions({
    queryKey: ['suite', suiteId, 'runs'],
    queryFn: ({ signal }) =>
      read<SimulationRunSummaryPage>(`/v1/simulation-suites/${suiteId}/runs`, { query: { limit: 100 }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.data.some(isUnderWay) === true ? 1_000 : false),
  });

export const runQuery = (suiteId: string, id: string, against: string | undefined) =>
  queryOptions({
    queryKey: ['suite', suiteId, 'run', id, against],
    queryFn: ({ signal }) => read<SimulationRun>(`/v1/simulation-runs/${id}`, { query: { against }, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? 1_000 : false),
  });

export const analyticsQuery = (query: Query) =>
  queryOptions({
    queryKey: ['analytics', query],
    queryFn: ({ signal }) => read<CallAnalytics>('/v1/analytics/calls', { query, signal }),
  });

export const publicationsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['publications', agentId],
    queryFn: ({ signal }) => readAll<PublicationSummary>(`/v1/agents/${agentId}/publications`, signal),
  });

export const configurationQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent', id, 'configuration'],
    queryFn: ({ signal }) => readWithEtag<AgentConfiguration>(`/v1/agents/${id}/configuration`, { signal }),
  });

export const readinessQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent', id, 'readiness'],
    queryFn: ({ signal }) => read<AgentReadiness>(`/v1/agents/${id}/readiness`, { signal }),
  });

export const agentKeysQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent', id, 'keys'],
    queryFn: ({ signal }) => read<KeyCollection>(`/v1/agents/${id}/keys`, { signal }),
  });

export const endpointsQuery = queryOptions({
  queryKey: ['endpoints'],
  queryFn: ({ signal }) => readAll<AgentEndpointRecord>('/v1/agent-endpoints', signal),
});

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: ['endpoint', id],
    queryFn: ({ signal }) => read<AgentEndpointRecord>(`/v1/agent-endpoints/${id}`, { signal }),
  });

/** Attempts have no events: while a delivery is pending, the list is polled. */
export const deliveriesQuery = (id: string, filters: Query) =>
  infiniteQueryOptions({
    queryKey: ['endpoint', id, 'deliveries', filters],
    queryFn: ({ pageParam, signal }) =>
      read<DeliverySummaryPage>(`/v1/agent-endpoints/${id}/deliveries`, {
        query: { ...filters, limit: 50, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(({ status }) => status === 'pending')) ? 2_000 : 15_000,
  });

/** The newest 100 of each state. Call events invalidate it; the interval is for keys that may not read them. */
export const liveCallsQuery = queryOptions({
  queryKey: ['live'],
  queryFn: async ({ signal }) => {
    const of = (status: string): Promise<Page<CallRecord>> =>
      read<Page<CallRecord>>('/v1/calls', { query: { status, limit: 100 }, signal });
    const [answered, dialing, queued] = await Promise.all([of('answered'), of('dialing'), of('queued')]);
    return {
      answered: answered.data,
      dialing: dialing.data,
      queued: queued.data,
      isCut: [answered, dialing, queued].some(({ next_cursor: next }) => next !== null),
    };
  },
  refetchInterval: 10_000,
});

export const controlsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['live', 'controls', organizationId],
    queryFn: ({ signal }) => read<ControlsRecord>(`/v1/organizations/${organizationId}/controls`, { signal }),
  });

export const walletQuery = queryOptions({
  queryKey: ['live', 'wallet'],
  queryFn: ({ signal }) => read<WalletRecord>('/v1/wallet', { signal }),
});

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => readAll<ApiKeyRecord>('/v1/api-keys', signal),
});
