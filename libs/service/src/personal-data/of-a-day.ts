import { organizationColumn, type PersonalTable } from './entry';

/** Tables of telephony with data of calls in progress, which is deleted within a day. */
export const ofADay: Readonly<Record<string, PersonalTable>> = {
  tool_calls: {
    personal: { result: 'what a tool returned in a call' },
    other: ['organization_id', 'call_id', 'tool_call_id', 'name', 'run_id', 'outcome'],
    byOrganization: organizationColumn,
    byPerson: { columns: ['call_id'] },
    aging: 'deleted a day after it was run',
  },
  call_commands: {
    personal: { fields: 'what an operator had said or did in a call', detail: 'why not', result: 'what it returned' },
    other: ['command_id', 'organization_id', 'call_id', 'job_id', 'type', 'state', 'refusal'],
    byOrganization: organizationColumn,
    byPerson: { columns: ['call_id'] },
    aging: 'deleted a day after it was given',
  },
  call_turns: {
    personal: { body: 'what was said in a call in progress' },
    other: ['organization_id', 'call_id'],
    byOrganization: organizationColumn,
    byPerson: { columns: ['call_id'] },
    aging: 'deleted when the call ends, at the latest after a day',
  },
  call_snapshots: {
    personal: { body: 'what the agent and the caller were saying in a call in progress' },
    other: ['organization_id', 'call_id'],
    byOrganization: organizationColumn,
    byPerson: { columns: ['call_id'] },
    aging: 'deleted when the call ends, at the latest after a day',
  },
};
