import { demoKinds, type DemoKind } from '@parley/contract';
import { notFound } from '@parley/errors';
import type { DemoVisit, TelephonyServiceServer } from '@parley/proto/telephony';
import { documentOf, type UnaryHandlers } from '@parley/runtime';
import type { Intake } from '../admission/admission-batches';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';
import { endDemoChat, openedBy, startDemoCall, startDemoChat, takeDemoTurn, type Visit } from './visit';

type Rpcs = 'checkDemo' | 'startDemoChat' | 'takeDemoTurn' | 'endDemoChat' | 'startDemoCall';

/** The RPCs behind the public pages of demos. The gateway calls them without a caller, because visitors have no key. */
export function demoRpcs(
  telephony: Pick<
    Telephony,
    'db' | 'controls' | 'workers' | 'publications' | 'signals' | 'settings' | 'vault' | 'openOrganization' | 'onCommit'
  > &
    Pick<Network, 'sip'> &
    Intake,
): Pick<UnaryHandlers<TelephonyServiceServer>, Rpcs> {
  return {
    async checkDemo({ token, kind }) {
      await openedBy(telephony, token, kindOf(kind));
      return {};
    },
    async startDemoChat(visit, context) {
      const kind = 'chat';
      return answer('VisitorChat', await startDemoChat(telephony, { ...visitOf(visit), kind }, context));
    },
    async startDemoCall(visit, context) {
      const kind = 'voice';
      return answer('TestCall', await startDemoCall(telephony, { ...visitOf(visit), kind }, context));
    },
    async takeDemoTurn({ token, chatSessionId: sessionId, body }, context) {
      const text = body?.json ?? Buffer.alloc(0);
      return answer('VisitorTurn', await takeDemoTurn(telephony, { token, sessionId, text }, context));
    },
    async endDemoChat({ token, chatSessionId: sessionId }, context) {
      return answer('VisitorChat', await endDemoChat(telephony, { token, sessionId }, context));
    },
  };
}

const visitOf = ({ token, address }: DemoVisit): Omit<Visit, 'kind'> => ({ token, address });

function kindOf(named: string): DemoKind {
  const kind = demoKinds.find((one) => one === named);
  if (kind === undefined) throw notFound('demo');
  return kind;
}

const answer = (schema: string, body: object) => ({ document: documentOf(schema, body), replayed: false });
