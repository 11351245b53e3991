/** Commands that correspond to exactly one operation. */
import type { Command } from 'commander';
import type { Context } from '../context.js';
import { addOperation } from './commands.js';

interface Group {
  readonly description: string;
  /** The operation of each command by name. */
  readonly commands: Readonly<Record<string, string>>;
}

const groups: Readonly<Record<string, Group>> = {
  agents: {
    description: 'agents, by id or by the name of their file',
    commands: {
      list: 'listAgents',
      get: 'getAgent',
      create: 'createAgent',
      preview: 'previewVoiceStack',
      history: 'listPublications',
      diff: 'diffPublication',
      restore: 'restorePublication',
      suspend: 'suspendAgent',
      reinstate: 'reinstateAgent',
      delete: 'deleteAgent',
      'rotate-tool-secret': 'rotateAgentToolSecret',
    },
  },
  voices: { description: 'voices of the catalogue or of a provider', commands: { list: 'listVoices' } },
  calls: {
    description: 'place and follow calls',
    commands: {
      list: 'listCalls',
      get: 'getCall',
      cancel: 'cancelCall',
      'hang-up': 'hangUpCall',
      events: 'listCallEvents',
    },
  },
  campaigns: {
    description: 'campaigns',
    commands: {
      list: 'listCampaigns',
      get: 'getCampaign',
      launch: 'launchCampaign',
      pause: 'pauseCampaign',
      resume: 'resumeCampaign',
      cancel: 'cancelCampaign',
      contacts: 'listCampaignContacts',
      attempts: 'listCampaignAttempts',
    },
  },
  webhooks: {
    description: 'endpoints and what was delivered to them',
    commands: {
      list: 'listAgentEndpoints',
      get: 'getAgentEndpoint',
      create: 'createAgentEndpoint',
      update: 'updateAgentEndpoint',
      delete: 'deleteAgentEndpoint',
      test: 'testAgentEndpoint',
      deliveries: 'listDeliveries',
      attempts: 'listAttempts',
      retry: 'retryDelivery',
      rotate: 'rotateAgentEndpointSecret',
    },
  },
  numbers: {
    description: 'telephone numbers',
    commands: {
      list: 'listNumbers',
      get: 'getNumber',
      create: 'createNumber',
      update: 'updateNumber',
      verify: 'verifyNumber',
      release: 'releaseNumber',
    },
  },
  messages: {
    description: 'text messages',
    commands: { list: 'listMessages', get: 'getMessage', send: 'createMessage' },
  },
  keys: {
    description: 'API keys',
    commands: {
      list: 'listApiKeys',
      get: 'getApiKey',
      mint: 'mintApiKey',
      revoke: 'revokeApiKey',
      scopes: 'listScopes',
    },
  },
  credentials: {
    description: 'accounts of providers, for your own calls',
    commands: {
      list: 'listComponentCredentials',
      get: 'getComponentCredential',
      create: 'createComponentCredential',
      replace: 'replaceComponentCredential',
      test: 'testComponentCredential',
      models: 'listProviderModels',
      delete: 'deleteComponentCredential',
    },
  },
  wallet: {
    description: 'the balance and its ledger',
    commands: {
      get: 'getWallet',
      ledger: 'listLedger',
      'top-up': 'topUpWallet',
      'top-ups': 'listTopUps',
      confirm: 'confirmTopUp',
    },
  },
  controls: { description: 'limits of an organization', commands: { get: 'getControls', set: 'setControls' } },
  policy: { description: 'the outbound policy of an organization', commands: { get: 'getPolicy', set: 'setPolicy' } },
  maintenance: {
    description: 'for operators: the maintenance of the platform',
    commands: { get: 'getMaintenance', set: 'setMaintenance' },
  },
  orgs: {
    description: 'for operators: organizations and their projects',
    commands: {
      list: 'listOrganizations',
      get: 'getOrganization',
      create: 'createOrganization',
      suspend: 'suspendOrganization',
      reinstate: 'reinstateOrganization',
      projects: 'listProjects',
      'create-project': 'createProject',
    },
  },
};

/** Returns the command of a group; creates it if it does not exist. */
export function groupOf(program: Command, name: string): Command {
  const found = program.commands.find((one) => one.name() === name);
  return found ?? program.command(name).description(groups[name]?.description ?? name);
}

export function addOperations(program: Command, context: Context): void {
  for (const [name, { commands }] of Object.entries(groups)) {
    const group = groupOf(program, name);
    for (const [command, operation] of Object.entries(commands)) addOperation(group, command, operation, context);
  }
}
