import type { ClassWords } from './class-words';

/** Descriptions of fields of agents, their voice stacks, workflows, templates and connections. */
export const agentWords: ClassWords = {
  AgentView: {
    status: 'Only an operator suspends and reinstates; `inactive` agents take and place no calls.',
    mode: 'Who conducts: the platform (`hosted`), an audio stream or a text address of the customer.',
    voice_stack: 'The languages of the agent and what is published of them.',
    metadata:
      'Free-form data of the client, with the stored follow_caller, opening and navigation in it where they are set.',
  },
  AgentFields: { begin_message: 'A legacy name of first_message.' },
  Agent: { mode: 'Who conducts: the platform (`hosted`), an audio stream or a text address of the customer.' },
  AgentUpdate: {
    mode: 'Who conducts: the platform (`hosted`), an audio stream or a text address of the customer.',
    status: '`active` or `inactive`; only an operator suspends and reinstates.',
    metadata:
      'Replaces the free-form data. follow_caller, opening and navigation stay if omitted; only the voice-stack route changes them.',
  },
  AgentVoiceStack: {
    language: 'The primary language.',
    model: 'The language model.',
    voice: 'The voice, with what its delivery can be.',
    voice_label: 'The name of the voice, for people.',
    language_profiles: 'The selected languages, and what is published of them.',
    navigation: 'Navigation of phone menus, as stored and as it works.',
    published_at: 'When the languages were last published.',
  },
  AgentVoiceStackUpdate: {
    language_profile_revision: 'The `language_profiles.revision` that was read; a stale one is 409: read again.',
    languages:
      'Replaces the selected languages, 1 to 32. The first save that carries languages opts the agent in to publishing; null takes the opt-in back.',
    language: 'The primary language; one of `languages` where these are set.',
    model: 'The language model; null: the default of the platform.',
    transcriber: 'What turns speech into text; null: the default of the platform.',
    component_credential_bindings:
      'Which stored credential each kind of component uses; null: the account of the platform. Secrets are never sent here.',
    begin_message: 'A legacy name of first_message.',
    audio_environment: 'The background that callers hear.',
  },
  ComponentCredentialBindings: {
    stt: 'The credential of the transcriber; null: the account of the platform.',
    llm: 'The credential of the language model; null: the account of the platform.',
    tts: 'The credential of the voice; null: the account of the platform.',
  },
  BoundCredentials: { stt: 'For the transcriber.', llm: 'For the language model.', tts: 'For the voice.' },
  WorkerProviders: { stt: 'Transcribers.', llm: 'Language models.', tts: 'Voices.' },
  VoiceView: { delivery_control: 'What `delivery` changes for this voice; `unsupported`: nothing.' },
  AgentCatalogue: {
    version: 'Changes with the content of the catalogue.',
    models: 'Providers of language models, in the shape of `transcribers`.',
    voices: 'Providers of voices, in the shape of `transcribers`.',
  },
  AgentLanguageProfileOverride: {
    transcriber: 'Another transcriber for this language.',
    voice: 'Another voice for this language.',
    greeting: 'What the agent says first in this language; an empty one is removed.',
  },
  AgentLanguageProfiles: {
    languages: 'The selected languages.',
    profiles: 'Settings of single languages.',
    published_version: '0: nothing is published.',
    published_at: 'When it was published, ISO 8601; empty with published_version 0.',
    published_languages: 'The languages that calls can be conducted in.',
    published_follow_caller: 'As it was published; null: off.',
    published_starting_language: 'The language in which a call begins; empty if the caller is not followed.',
    revision: 'Send as `language_profile_revision` of the next save.',
  },
  AgentFollowCaller: {
    enabled: 'Whether the language of the caller is followed.',
    scope:
      '`selected` languages, or `all` that the stack can recognize at publication. Only if enabled; absent: selected.',
  },
  AgentOpening: {
    first_speaker: 'Who speaks first on outbound calls that the platform conducts.',
    silence_wait_seconds:
      'Seconds of silence after which the agent begins although the callee should; 1 to 5. Unused if the agent speaks first.',
  },
  AgentTurnTaking: {
    interruption_sensitivity:
      'A preset, in ms for balanced, low and high. Speech that interrupts: 500, 750, 150. End-of-turn hold when the turn detector finds the turn finished: 600, 900, 260; the longest wait otherwise: 1200, 1800, 600; without the detector: 800, 1100, 600. min_speech_ms and silence_hold_ms override it, independently.',
    min_speech_ms:
      'Milliseconds of speech that interrupt the agent, 80 to 2000; absent: as the preset says. Phone calls raise values below 150 to 150; browser calls store and do not apply it.',
    silence_hold_ms:
      'The shortest wait in milliseconds after the caller stopped before the turn can end, 100 to 2000; absent: as the preset says. Below about 250 ms it has no effect.',
    min_interruption_words:
      'Recognized words that an interruption must have as well; absent: 1 on hosted English phone calls, else 0. Ignored if the transcriber reports words slowly.',
    max_call_seconds:
      'The call is ended after so many seconds, 60 to 1740, with ended_reason `max_call_duration_reached`.',
    no_caller_speech_seconds:
      'The call is ended when the other party is not heard for so many seconds after the answer, 10 to 120, with ended_reason `no_caller_speech_after_answer`.',
    barge_in_speech_rms: 'Deprecated: stored and returned, not applied.',
  },
  AgentVoicePolish: {
    delivery:
      'How the voice speaks; absent: as usual for the provider. Works only with voices that have a control for it.',
    end_of_call_phrase: 'What the agent says before it hangs up, at most 300 characters.',
    acknowledgements: 'Short phrases while the reply is prepared; off unless enabled.',
    tool_wait: 'What the caller hears while a tool runs.',
    unrecognised_speech: 'What the agent says when speech could not be recognized.',
    model_unresponsive: 'When a call is ended because the model produces nothing.',
  },
  AgentAcknowledgements: {
    enabled: 'Whether they are used; at most one per turn of the caller.',
    delay_ms: 'Milliseconds after the turn until one is spoken, 600 to 3000.',
    phrases:
      'At most 6 of 1 to 40 characters, without digits and currency marks; absent: those of the platform for the language of the call.',
  },
  AgentToolWait: {
    mode: '`acknowledge` speaks a phrase, `sound` plays typing for at most 15 s.',
    delay_ms: 'Milliseconds after the tool began, 600 to 3000.',
    phrases: 'Only for `acknowledge`, as for acknowledgements; refused with `sound`.',
  },
  AgentUnrecognisedSpeech: {
    max_per_call: 'Times per call, 1 to 5.',
    phrase: 'Spoken unchanged and not translated, at most 300 characters; absent: that of the platform.',
  },
  AgentAnswerDetection: {
    non_human_audio:
      '`shadow` notes what answered and ends nothing; `end_call` ends the call with `no_human_after_answer`; `off` notes nothing. Absent: the default of the platform, now shadow.',
    voicemail:
      '`shadow` only records it, and so do `hang_up` and `leave_message` if the call cannot prove a mailbox; its record shows both. Absent: the default of the platform, now shadow.',
  },
  AgentNavigationStatus: {
    enabled: 'As stored; null: never set.',
    effective: 'Whether the agent finds its way through phone menus now.',
    eligible: 'Whether the agent could do so if it were enabled.',
    ineligible_reason: 'Why it does not; null if it does.',
  },
  AgentAudioEnvironment: { preset: 'What callers hear in the background.', volume: 'How loud, from 0 to 1.' },
  InvalidAudioEnvironment: {
    invalid: 'Always true: the preset no longer exists.',
    stored: 'The selection as it is stored.',
  },
  TranslationPolicy: {
    enabled: 'Whether anything is translated.',
    scope: 'What is translated: transcripts of calls, text messages, or both.',
  },
  BuiltinTool: {
    name: 'The tool of the platform.',
    read_only: 'Always true on tools that are shown and cannot be changed.',
    config: 'Settings of the tool; transfer_call needs `destinations`, send_sms may have `to`.',
  },
  WebhookTool: {
    name: 'What the model calls it by.',
    description: 'What the model reads to decide when to use it.',
    method: 'The method of the request.',
    url: 'The absolute https address that is asked.',
    headers: 'Further headers. Their values are sealed and read as `***`; `***` in a write keeps the stored one.',
    read_only: 'Always true on tools that are shown and cannot be changed.',
  },
  ConnectionTool: {
    action: 'The action of the connection.',
    name: 'What the model calls it by; absent: the name of the action.',
    read_only: 'Always true on tools that are shown and cannot be changed.',
  },
  AgentVariables: { config: 'The declared variables.' },
  AgentVariable: {
    name: 'Stands in texts as `{{name}}`.',
    type: 'The type of its values.',
    required: 'Whether a call without a value for it is refused.',
    default: 'The value where a call gives none.',
    protected: 'Whether a template message may not set it; a call may.',
  },
  VariablesConfig: { variables: 'At most 64.' },
  AgentVariablesUpdate: {
    config: 'Replaces the declared variables.',
    base_revision: 'The revision that was read; a stale one is 409 revision_conflict.',
  },
  PublicationDiff: {
    version: 'The newer version.',
    against: 'The older version; 0: nothing.',
    changes: 'Every difference, by path.',
  },
  PublicationChange: { change: 'Whether the value is new, gone or another one.' },
  PublicationBlocker: {
    code: 'Such as voice_id_missing, language_not_supported, provider_unknown, credential_missing.',
    scope: 'What it is about: `language:<code>`, transcriber, model, voice, `credential:<kind>` or tools.',
  },
  AgentWorkflowRead: {
    workflow: 'The draft; null if there is none.',
    published: 'The version that conducts calls; null: the model does.',
    versions: 'A page of the versions, the newest first.',
    versions_page: 'The page.',
    version_count: 'How many versions were published.',
  },
  WorkflowDraft: { validation: 'Whether it could be published.' },
  WorkflowDraftCreate: { draft: 'The first content; absent: what is published, else a start and an end.' },
  WorkflowDraftUpdate: {
    base_revision: 'As read; a stale one is 409 WorkflowRevisionConflictError.',
  },
  WorkflowValidation: { valid: 'Whether it could be published.', faults: 'Validation errors.' },
  WorkflowDefinition: { nodes: 'At most 200, one of them a start.', edges: 'At most 400.' },
  WorkflowEdge: { from: 'The node that it leaves.', to: 'The node that it leads to.' },
  WorkflowLayout: {
    collapsed_groups: 'Groups that the editor shows closed.',
    viewport: 'The part of the canvas that was shown last.',
  },
  CanvasViewport: { x: 'Pixels from the left.', y: 'Pixels from the top.', zoom: 'The scale; 1 is full size.' },
  StartNode: { id: 'The id of the node, unique in the workflow.' },
  SayNode: { id: 'The id of the node, unique in the workflow.', text: 'What the agent says.' },
  AskNode: {
    id: 'The id of the node, unique in the workflow.',
    text: 'What the agent asks.',
    variable: 'Stores the answer.',
  },
  ConditionNode: {
    id: 'The id of the node, unique in the workflow.',
    variable: 'The variable that decides.',
    operator: 'The comparison.',
  },
  ToolNode: {
    id: 'The id of the node, unique in the workflow.',
    tool: 'The name of a tool of the agent.',
    arguments: 'The arguments.',
  },
  TransferNode: { id: 'The id of the node, unique in the workflow.' },
  EndNode: { id: 'The id of the node, unique in the workflow.', text: 'What the agent says before it hangs up.' },
  PhonePin: {
    state: 'Whether the PIN opens the draft now.',
    expires_at: 'When it stops working; null if it is not armed.',
  },
  TemplateSlot: { name: 'Stands in the texts as `{{name}}`.' },
  TemplateVariable: {
    name: 'Stands in the texts as `{{name}}`.',
    required: 'Whether a message without a value for it is refused.',
    protected: 'Whether a request may not set it.',
  },
  MessageTemplateCreate: {
    slots: 'The places that each message fills, at most 16.',
    variables: 'The variables of the texts.',
  },
  MessageTemplate: {
    slots: 'The places that each message fills, at most 16.',
    variables: 'The variables of the texts.',
  },
  MessageTemplateUpdate: {
    slots: 'The places that each message fills, at most 16.',
    variables: 'The variables of the texts.',
  },
  TemplateMessageCreate: {
    slots: 'A value for every place of the template, by name.',
    language: 'The language of the text; absent: that of the agent.',
  },
  ConnectionAction: {
    method: 'The method of the request.',
    description: 'What the model reads to decide when to use it.',
  },
  VoicePreviewCreate: {
    text: 'What is spoken.',
    delivery: 'The delivery, applied as in calls.',
    language: 'The language of the text.',
  },
  ToolSecret: { name: 'The name of the tool; null: the agent itself.' },
};
