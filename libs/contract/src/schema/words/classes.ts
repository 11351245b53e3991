/** Descriptions of classes that do not declare one themselves. */
export const classWords: Readonly<Record<string, string>> = {
  AgentVoiceStack:
    'The voice stack of an agent as reads show it. It never contains the ids of credentials or secrets. Sections that are not configured are absent.',
  AgentVoiceStackUpdate:
    'Absent fields stay; a section replaces the stored one whole; null resets it (navigation excepted). Once languages were saved, a save of languages, profiles, prompt, first message, components, engine, credentials or variables also publishes; where that is impossible it is 400 with `blockers`.',
  AgentWorkflowRead: 'The workflow of an agent: its draft, what is published, and a page of the versions.',
  AgentLanguageProfiles: 'The languages of an agent: what is selected, and what is published of it.',
  AgentLanguageProfileOverride: 'The settings of one language. Absent ones are inherited from the shared voice stack.',
  AgentFollowCaller: 'Whether the agent changes to the language that the caller speaks, and among which languages.',
  AgentNavigation: 'Navigation of phone menus, replaced whole. Without `enabled`: navigation_enabled_required.',
  AgentNavigationStatus:
    'Navigation of phone menus, as stored and as effective; always present on a read of the voice stack.',
  CanvasViewport: 'The part of the canvas that an editor showed last.',
  WorkflowValidation: 'Whether a draft could be published, and what stands against it.',
  OrganizationRecord: 'An organization as it is read.',
  ProjectRecord: 'A project of an organization.',
  MaintenanceRecord: 'The maintenance window of the platform, past, present or planned.',
  NumberRecord: 'A telephone number of a project.',
  WorkerJobsClaimed: 'The call jobs that were leased to the worker; empty if none came while it waited.',
  WorkerHeartbeatAnswer: 'The state of every lease that the worker named.',
  WorkerReportAnswer: 'Where the call stands after the report.',
  WorkerCompleteAnswer: 'Where the call stands after its completion.',
  ControlsRecord: 'The limits of an organization, and what counts against them now.',
  OutboundPolicyRecord: 'The outbound policy of an organization; a rule that is null is not applied.',
  ConsentRequiredRule: 'Calls need the consent of the callee.',
  ReviewResolve: 'A decision about a call that waits for review.',
  SuppressionsAdded: 'How many of the numbers were new in the list.',
  SuppressionRecord: 'A number that gets no calls or messages.',
  SuppressionRemove: 'The number to take off the list.',
  SuppressionRemoved: 'Whether the number was on the list.',
  GatewayLifecycleAnswer: 'Where the call stands after the report.',
  CarrierCallForm: 'The form in which a carrier announces an incoming call. Further fields are ignored.',
  CarrierCallStatusForm: 'The form in which a carrier reports the status of a call. Further fields are ignored.',
  CarrierMessageForm: 'The form in which a carrier delivers an incoming text message. Further fields are ignored.',
  CarrierMessageStatusForm:
    'The form in which a carrier reports the delivery of a text message. Further fields are ignored.',
};
