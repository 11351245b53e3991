/**
 * Conversations of a model with the platform over MCP, as they were recorded: what a user asks for, and the tools that are called for it, in turn. A
 * `{{name}}` is a value that an earlier result had; nothing else of the platform is known beforehand but what `known` of the player has.
 */
export interface RecordedCall {
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** The code of the error that it is refused with: a mistake of the model, which its next call corrects. */
  readonly refused?: string;
  /** What the result has; asked again until it has. */
  readonly until?: Readonly<Record<string, unknown>>;
  /** What the result has. */
  readonly shows?: Readonly<Record<string, unknown>>;
  /** Values of the result that later calls use, by their dotted paths; `_meta` is next to the result. */
  readonly keeps?: Readonly<Record<string, string>>;
}

export interface RecordedConversation {
  readonly user: string;
  readonly calls: readonly RecordedCall[];
}

const firstAgent: RecordedCall = {
  tool: 'list_agents',
  arguments: { summary: true, limit: 5 },
  keeps: { agent_id: 'data.0.agent_id', project_id: 'data.0.project_id' },
};
const germanVoice = { provider: 'simulator', model: '{{model}}', voice_id: '{{voice_id}}' };

export const conversations: readonly RecordedConversation[] = [
  {
    user: 'Make me a receptionist who speaks German, with a voice that can.',
    calls: [
      firstAgent,
      {
        tool: 'list_voices',
        arguments: { provider: 'simulator', language: 'de' },
        keeps: { voice_id: 'data.0.voice_id', model: 'data.0.model' },
      },
      {
        tool: 'create_agent',
        arguments: { project_id: '{{project_id}}', mode: 'hosted', name: 'Empfang', system_prompt: 'Sei kurz.' },
        keeps: { agent_id: 'agent_id' },
      },
      {
        tool: 'preview_voice_stack',
        arguments: { agent_id: '{{agent_id}}', languages: ['de'], voice: germanVoice },
        shows: { publishable: true, blockers: [] },
      },
      {
        tool: 'save_voice_stack',
        arguments: { agent_id: '{{agent_id}}', languages: ['de'], voice: germanVoice },
        shows: { voice: { voice_id: '{{voice_id}}' }, language_profiles: { published_version: 1 } },
      },
    ],
  },
  {
    user: 'Add an agent called Night desk.',
    calls: [
      firstAgent,
      {
        tool: 'create_agent',
        arguments: { project_id: '{{project_id}}', name: 'Night desk' },
        refused: 'BadRequestError',
      },
      {
        tool: 'create_agent',
        arguments: { project_id: '{{project_id}}', mode: 'hosted', name: 'Night desk' },
        keeps: { agent_id: 'agent_id' },
      },
      { tool: 'get_agent', arguments: { agent_id: '{{agent_id}}' }, shows: { name: 'Night desk' } },
    ],
  },
  {
    user: 'Have the receptionist say our new name, but do not lose what a colleague is changing.',
    calls: [
      firstAgent,
      {
        tool: 'create_agent',
        arguments: { project_id: '{{project_id}}', mode: 'hosted', name: 'Reception', system_prompt: 'We are Acme.' },
        keeps: { agent_id: 'agent_id', etag: '_meta.etag' },
      },
      { tool: 'update_agent', arguments: { agent_id: '{{agent_id}}', name: 'Front desk' } },
      {
        tool: 'update_agent',
        arguments: { agent_id: '{{agent_id}}', system_prompt: 'We are Acme Dental.', if_match: '{{etag}}' },
        refused: 'ConflictError',
      },
      { tool: 'get_agent', arguments: { agent_id: '{{agent_id}}' }, keeps: { etag: '_meta.etag' } },
      {
        tool: 'update_agent',
        arguments: { agent_id: '{{agent_id}}', system_prompt: 'We are Acme Dental.', if_match: '{{etag}}' },
        shows: { name: 'Front desk', system_prompt: 'We are Acme Dental.' },
      },
    ],
  },
  {
    user: 'Call +1 500 555 0006 and report what they said.',
    calls: [
      firstAgent,
      {
        tool: 'place_call',
        arguments: { agent_id: '{{practice}}', to: '+15005550006' },
        keeps: { call_id: 'call_id' },
      },
      { tool: 'get_call', arguments: { call_id: '{{call_id}}' }, until: { status: 'completed' } },
      {
        tool: 'get_transcript',
        arguments: { call_id: '{{call_id}}' },
        until: { turns: [{ speaker: 'agent', text: 'Good morning, how can I help?' }, { speaker: 'callee' }] },
      },
    ],
  },
  {
    user: 'The connection broke while you were placing the call. See to it that they are called, but once.',
    calls: [
      {
        tool: 'place_call',
        arguments: { agent_id: '{{practice}}', to: '+15005550009', idempotency_key: 'task-5' },
        keeps: { call_id: 'call_id' },
      },
      {
        tool: 'place_call',
        arguments: { agent_id: '{{practice}}', to: '+15005550009', idempotency_key: 'task-5' },
        shows: { call_id: '{{call_id}}', _meta: { idempotent_replayed: true } },
      },
      {
        tool: 'list_calls',
        arguments: { to: '+15005550009', summary: true, limit: 5 },
        shows: { data: [{ call_id: '{{call_id}}' }], next_cursor: null },
      },
    ],
  },
  {
    user: 'Book a call to +1 500 555 0006 for tomorrow. No, take it back.',
    calls: [
      {
        tool: 'place_call',
        arguments: { agent_id: '{{practice}}', to: '+15005550006', scheduled_at: '{{tomorrow}}' },
        shows: { status: 'scheduled' },
        keeps: { call_id: 'call_id' },
      },
      { tool: 'cancel_call', arguments: { call_id: '{{call_id}}' } },
      { tool: 'get_call', arguments: { call_id: '{{call_id}}' }, until: { status: 'canceled' } },
    ],
  },
  {
    user: 'Try the busy number, then give me the figures of today by outcome.',
    calls: [
      {
        tool: 'place_call',
        arguments: { agent_id: '{{practice}}', to: '+15005550001' },
        keeps: { call_id: 'call_id' },
      },
      { tool: 'get_call', arguments: { call_id: '{{call_id}}' }, until: { ended_reason: 'busy' } },
      {
        tool: 'get_call_analytics',
        arguments: { interval: 'hour', group_by: 'ended_reason', agent_id: '{{practice}}', from: '{{yesterday}}' },
        until: { data: [{ key: 'busy', calls: 1, answered: 0 }] },
      },
    ],
  },
  {
    user: 'Ask these two customers whether they are content, and say who was reached.',
    calls: [
      {
        tool: 'create_campaign',
        arguments: {
          agent_id: '{{practice}}',
          name: 'Content?',
          contacts: [{ to: '+15005550002' }, { to: '+15005550006' }],
          retry: { attempts: 1, delay_minutes: 60, on: ['busy'] },
        },
        keeps: { campaign_id: 'campaign_id' },
      },
      { tool: 'launch_campaign', arguments: { campaign_id: '{{campaign_id}}' }, shows: { status: 'running' } },
      {
        tool: 'get_campaign',
        arguments: { campaign_id: '{{campaign_id}}' },
        until: { status: 'completed', statistics: { outcomes: { answered: 1, no_answer: 1 } } },
      },
      {
        tool: 'list_campaign_contacts',
        arguments: { campaign_id: '{{campaign_id}}', status: 'completed' },
        shows: { next_cursor: null },
      },
    ],
  },
  {
    user: 'Let the agent know our opening hours: Saturdays from nine to eleven.',
    calls: [
      firstAgent,
      {
        tool: 'create_knowledge_base',
        arguments: { project_id: '{{project_id}}', name: 'Practice' },
        keeps: { base: 'knowledge_base_id' },
      },
      {
        tool: 'create_knowledge_document',
        arguments: {
          knowledge_base_id: '{{base}}',
          name: 'Hours',
          text: 'The practice is open on Saturdays from nine to eleven.',
        },
        keeps: { document_id: 'document_id' },
      },
      { tool: 'get_knowledge_document', arguments: { document_id: '{{document_id}}' }, until: { status: 'ready' } },
      {
        tool: 'query_knowledge_base',
        arguments: { knowledge_base_id: '{{base}}', text: 'When is the practice open on Saturdays?' },
        shows: {
          data: [{ document_id: '{{document_id}}', text: 'The practice is open on Saturdays from nine to eleven.' }],
        },
      },
      {
        tool: 'set_agent_knowledge_bases',
        arguments: { agent_id: '{{practice}}', knowledge_base_ids: ['{{base}}'] },
        shows: { knowledge_base_ids: ['{{base}}'] },
      },
    ],
  },
  {
    user: 'Since yesterday it is rude. Bring back what it said before.',
    calls: [
      firstAgent,
      {
        tool: 'create_agent',
        arguments: { project_id: '{{project_id}}', mode: 'hosted', name: 'Moody', system_prompt: 'Be kind.' },
        keeps: { agent_id: 'agent_id' },
      },
      { tool: 'save_voice_stack', arguments: { agent_id: '{{agent_id}}', languages: ['en'] } },
      { tool: 'update_agent', arguments: { agent_id: '{{agent_id}}', system_prompt: 'Be rude.' } },
      {
        tool: 'list_publications',
        arguments: { agent_id: '{{agent_id}}' },
        shows: { data: [{ version: 2 }, { version: 1 }] },
      },
      {
        tool: 'diff_publication',
        arguments: { agent_id: '{{agent_id}}', version: '2', against: 1 },
        shows: { changes: [{ change: 'changed', before: 'Be kind.', after: 'Be rude.' }] },
      },
      { tool: 'restore_publication', arguments: { agent_id: '{{agent_id}}', version: '1' } },
      { tool: 'get_agent', arguments: { agent_id: '{{agent_id}}' }, shows: { system_prompt: 'Be kind.' } },
    ],
  },
];
