import { numberProviders, type NumberRecord, type NumberRule } from '@parley/contract';
import type { Number as PhoneNumber } from '@parley/proto/telephony';
import { orNull } from './absent';
import { oneOf } from './one-of';

export const numberRecord = (number: PhoneNumber): NumberRecord => ({
  number_id: number.numberId,
  organization_id: number.organizationId,
  project_id: number.projectId,
  phone_number: number.phoneNumber,
  provider: oneOf(numberProviders, number.provider),
  inbound_agent_id: orNull(number.inboundAgentId),
  created_at: number.createdAt,
  updated_at: number.updatedAt,
});

export const numberRule = (number: PhoneNumber): NumberRule => ({
  number_id: number.numberId,
  phone_number: number.phoneNumber,
  inbound_agent_id: orNull(number.inboundAgentId),
  action: number.inboundAgentId === '' ? 'reject' : 'answer',
});
