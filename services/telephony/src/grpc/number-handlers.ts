import { NumberCreate, validate } from '@parley/contract';
import { creatingRequest } from '@parley/service';
import type { CreateNumberRequest } from '@parley/proto/telephony';
import { throwRefusal } from '@parley/runtime';
import { createNumber, listNumberPage, updateNumber, type NumberFields } from '../usecases/numbers';
import type { Handled, Handlers } from './handled';
import { limitOf } from './limit-of';
import { reach } from './reach';

export function numberHandlers({ telephony }: Handled): Handlers<'createNumber' | 'listNumbers' | 'updateNumber'> {
  return {
    createNumber(request, context) {
      const organizationId = reach(request.organizationId, context);
      const input = {
        organizationId,
        request: creatingRequest(organizationId, request.idempotency),
        fields: () => checkedFields(organizationId, request),
      };
      return createNumber(telephony, input, context);
    },
    listNumbers(request, context) {
      return listNumberPage(telephony.db, {
        organizationId: reach(request.organizationId, context),
        projectId: request.projectId,
        cursor: request.page?.cursor ?? '',
        limit: limitOf(request.page),
      });
    },
    updateNumber(request, context) {
      const { numberId, inboundAgentId, projectId, ifMatch, refusal } = request;
      const organizationId = reach(request.organizationId, context);
      return updateNumber(
        telephony,
        { organizationId, numberId, inboundAgentId, projectId, ifMatch, refusal },
        context,
      );
    },
  };
}

function checkedFields(organizationId: string, request: CreateNumberRequest): NumberFields {
  throwRefusal(request.idempotency?.refusal);
  const { value } = validate(NumberCreate, {
    organization_id: organizationId,
    project_id: request.projectId,
    phone_number: request.phoneNumber,
    provider: request.provider,
    inbound_agent_id: request.inboundAgentId === '' ? null : request.inboundAgentId,
  });
  return {
    projectId: value.project_id,
    phoneNumber: value.phone_number,
    provider: value.provider,
    inboundAgentId: value.inbound_agent_id ?? '',
  };
}
