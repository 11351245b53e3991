/** What a model reads of a tool. */
export interface ToolText {
  /** Where the operation's own name does not say it best. */
  readonly name?: string;
  readonly description: string;
}

/**
 * The words of the tools, by the operation id of their route. Everything else about a tool follows from the route's declaration;
 * a test holds that each tool has its words here.
 */
export const toolTexts: Readonly<Record<string, ToolText>> = {
  'create-agent': {
    description:
      'Create a voice agent in a project. A hosted agent answers with a system prompt, a voice and tools. Creation publishes nothing: add languages with save_voice_stack before placing calls in several languages.',
  },
  'list-agents': { description: 'List the agents of the organization, newest first. Follow next_cursor for more.' },
  'get-agent': {
    description:
      'Read one agent: its identity, status, prompt, first message, tools and metadata. Tuning is read with get_voice_stack.',
  },
  'update-agent': {
    description:
      'Change an agent: its name, prompt, first message, tools (replaced whole; send expected_tools to be safe against others), metadata or status. Setting status to inactive stops telephone calls. Voice, languages and tuning are changed with save_voice_stack.',
  },
  'get-voice-stack': {
    description:
      'Read how an agent listens, thinks and speaks: transcriber, model, voice, languages, tuning, cost, latency, warnings, and what is published.',
  },
  'save-voice-stack': {
    description:
      'Change how an agent listens, thinks and speaks, and publish it where that is needed. Sections that are sent are replaced whole, others stay. Refused with blockers when a language cannot be published. Try it first with preview_voice_stack.',
  },
  'preview-voice-stack': {
    description:
      'Say what save_voice_stack would do with the same arguments: blockers, effective configuration, cost and latency. Changes nothing.',
  },
  'list-publications': { description: 'List the published versions of an agent, newest first.' },
  'get-publication': { description: 'Read one published version of an agent.' },
  'diff-publication': { description: 'Say what differs between two published versions of an agent.' },
  'restore-publication': {
    description:
      'Bring the configuration of an earlier published version back, as a new version. Calls in progress keep theirs.',
  },
  'get-variables': { description: 'Read the variables that calls of an agent may be given.' },
  'replace-variables': {
    description:
      'Replace the variables of an agent and publish it. Send base_revision, as get_variables answered it, to be refused when somebody else was first.',
  },
  'get-workflow': { description: 'Read the workflow of an agent: the draft, what is published, and its versions.' },
  'create-workflow-draft': { description: 'Begin a draft of the workflow of an agent. Refused where one exists.' },
  'save-workflow-draft': {
    description:
      'Replace the draft of the workflow. base_revision is the revision that was read; a stale one is refused with the winning draft.',
  },
  'publish-workflow': { description: 'Publish the draft of the workflow. Calls that begin from now on follow it.' },
  'arm-workflow-phone-pin': {
    description:
      'Arm a PIN of six digits with which a test caller reaches the draft of the workflow. It is shown once; the PIN before it ends.',
  },
  'disarm-workflow-phone-pin': {
    description: 'End the PIN with which test callers reach the draft of the workflow.',
  },
  'create-message': {
    name: 'send_message',
    description:
      'Send a text message to a telephone number in the name of an agent, from a number of its project. Answers at once with status queued; read it again with get_message, or follow the events, to learn whether it was delivered. Numbers that opted out are refused.',
  },
  'create-template-message': {
    name: 'send_template_message',
    description:
      'Send a text message made from a message template, in the language of the recipient: fill its slots and variables. Protected variables cannot be set.',
  },
  'list-messages': {
    description: 'List sent and received messages, newest first, by agent, project, status or direction.',
  },
  'get-message': {
    description: 'Read one message: its text, where it stands, why it did not arrive, and its translation.',
  },
  'create-message-template': {
    description: 'Create a template of messages: texts by language, with slots and variables as {{name}}.',
  },
  'list-message-templates': {
    description: 'List the message templates of the organization, newest first.',
  },
  'get-message-template': {
    description: 'Read one message template.',
  },
  'update-message-template': {
    description: 'Change a message template: fields that are sent replace, others stay.',
  },
  'create-agent-endpoint': {
    description:
      'Subscribe a webhook address to the events of a project. The answer holds the signing secret, once: keep it.',
  },
  'list-agent-endpoints': { description: 'List the webhook endpoints of the organization, newest first.' },
  'get-agent-endpoint': { description: 'Read one webhook endpoint and its subscription.' },
  'update-agent-endpoint': {
    description: 'Change a webhook endpoint: its name, addresses, or the whole list of event types (at least one).',
  },
  'delete-agent-endpoint': { description: 'Delete a webhook endpoint. What waits to be delivered to it is cancelled.' },
  'rotate-agent-endpoint-secret': {
    description:
      'Make a new signing secret for a webhook endpoint. The answer holds it, once: keep it. The secrets before it go on signing for overlap_hours.',
  },
  'test-agent-endpoint': {
    description: 'Deliver a sample event of the first subscribed type to a webhook endpoint, to see that it arrives.',
  },
  'recover-agent-endpoint': {
    description:
      'Send again what failed or was parked for a webhook endpoint since a time. It runs in the background; follow it with list_recoveries.',
  },
  'list-recoveries': {
    description: 'List the recoveries of a webhook endpoint with their progress, newest first.',
  },
  'list-deliveries': {
    description: 'List the deliveries to a webhook endpoint, newest first, to find what did not arrive.',
  },
  'list-attempts': { description: 'List the attempts to deliver to a webhook endpoint, newest first.' },
  'get-delivery': {
    description:
      'Read one delivery with its attempts: status, latency and the beginning of what the receiver answered.',
  },
  'retry-delivery': { description: 'Attempt a delivery again now, whatever became of it.' },
  'create-call': {
    name: 'place_call',
    description:
      'Place an outbound telephone call with an agent. `to` is E.164. The call is queued and dialled by a worker; read it with get_call. A status of policy_blocked or needs_review means that policy refused or holds it: nobody was called. Send an idempotency_key so that repeating this never calls twice.',
  },
  'list-calls': { description: 'List calls, newest first, filtered by agent or status.' },
  'get-call': { description: 'Read one call: its status, why it ended, times, cost and what policy said.' },
  'cancel-call': { description: 'Cancel a call that has not ended.' },
  'resolve-review': {
    description:
      'Approve or reject a call that waits with status needs_review. An approved call is dialled: ask a person before you approve.',
  },
  'list-call-events': { description: 'List what happened in a call, oldest first.' },
  'get-transcript': { description: 'Read what was said in a call.' },
  'get-recording': { description: 'Read where the recording of a call is.' },
  'create-trial-call': {
    description:
      'Make an offline, synthetic call record with a chosen outcome, for trying integrations. Nobody is called.',
  },
  'create-campaign': {
    description:
      'Create a campaign as a draft: an agent that calls many contacts, with its pace, calling window and retries. Contacts can come along or be added with add_campaign_contacts. Nobody is called before launch_campaign.',
  },
  'list-campaigns': {
    description: 'List the campaigns of the organization, newest first. Follow next_cursor for more.',
  },
  'get-campaign': {
    description:
      'Read one campaign: its settings, its status, why it waits or is paused, and how its contacts came out so far.',
  },
  'update-campaign': {
    description:
      'Change a campaign that is not over: its name, pace, calling window, retries or end. It holds for calls placed from then on; the agent can be changed in a draft only.',
  },
  'add-campaign-contacts': {
    description:
      'Add up to 1000 contacts to a campaign that is not over. A number stands in a campaign once; who is in it already is counted as a duplicate.',
  },
  'list-campaign-contacts': {
    description: 'List the contacts of a campaign, newest first, with their outcome and how often they were called.',
  },
  'list-campaign-attempts': {
    description:
      'List the calls of a campaign, newest first. Those with status review wait for resolve_campaign_review.',
  },
  'list-campaign-imports': {
    description: 'List what was handed in as contacts of a campaign and how far it is, newest first.',
  },
  'list-import-faults': {
    description: 'List the rows of an upload of contacts that were left out, each with its line and reason.',
  },
  'launch-campaign': {
    description: 'Launch a draft: it calls its contacts from now on, within its window and pace. People are called.',
  },
  'pause-campaign': {
    description:
      'Pause a running campaign: nobody is dialled any more until it is resumed; conversations in progress go on.',
  },
  'resume-campaign': {
    description: 'Resume a paused campaign where it stopped. People are called.',
  },
  'cancel-campaign': {
    description: 'Cancel a campaign for good: whoever was not called is not called; conversations in progress go on.',
  },
  'duplicate-campaign': {
    description: 'Make a new draft of a campaign, with its settings and its contacts as if nobody had called them.',
  },
  'resolve-campaign-review': {
    description: 'Approve or reject a call of a campaign that outbound policy holds for a person.',
  },
};
