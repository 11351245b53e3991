import type { ErrorCode } from '@parley/errors';
import { formsOf, type CarrierName, type CarrierRouteName } from '../carriers';
import type { Class } from '../rules/class-facts';

/**
 * A webhook that carriers ask by themselves: always POST, a signed form in, the carrier's markup out. It is no route of the others: no key, no
 * scope, no organization named, and maintenance does not stand against it.
 */
export interface CarrierRoute {
  readonly id: string;
  /** With the carrier's name for `{provider}`. */
  readonly path: `/v1/carriers/{provider}/${string}`;
  /** The carriers that send it. */
  readonly providers: readonly CarrierName[];
  readonly summary: string;
  /** The forms sent by its carriers; carriers with the same signature scheme mostly use the same form. */
  readonly forms: readonly Class[];
  /** Query parameters of the URL, with their meaning; the signature covers them. */
  readonly query: Readonly<Record<string, string>>;
  /** `<service>.<method>` of the gRPC call behind it. */
  readonly rpc: string;
  /** In order of status. A temporary failure is returned as webhook_retry_requested, so that the carrier repeats the webhook. */
  readonly errors: readonly ErrorCode[];
}

/** The carriers that send a webhook, and its forms, from their declarations. */
function sentAs(name: CarrierRouteName): Pick<CarrierRoute, 'providers' | 'forms'> {
  const forms = formsOf(name);
  return { providers: [...forms.keys()], forms: [...new Set(forms.values())] };
}

/** The errors of every webhook, with the given ones inserted. */
const errorsWith = (...own: readonly ErrorCode[]): readonly ErrorCode[] => [
  'BadRequestError',
  'UnauthorizedError',
  'not_found',
  ...own,
  'PayloadTooLargeError',
  'UnsupportedMediaTypeError',
  'rate_limited',
  'webhook_retry_requested',
];

export const carrierRoutes = {
  receiveCarrierCall: {
    id: 'receive-carrier-call',
    path: '/v1/carriers/{provider}/calls',
    summary:
      'An incoming call, or what follows on a line: connect it to a worker or the media gateway, hold it, or end it',
    ...sentAs('receiveCarrierCall'),
    query: {
      call_id: 'Our id of the call, where the line is known.',
      transfer_id: 'Our id of the transfer, of a leg to the other party.',
    },
    rpc: 'telephony.receiveCarrierCall',
    errors: errorsWith('ConflictError'),
  },
  receiveCarrierCallStatus: {
    id: 'receive-carrier-call-status',
    path: '/v1/carriers/{provider}/call-statuses',
    summary: 'What became of a line: once it is closed, the call is over',
    ...sentAs('receiveCarrierCallStatus'),
    query: {
      call_id: 'Our id of the call, for one that the platform placed.',
      transfer_id: 'Our id of the transfer, of a leg to the other party.',
    },
    rpc: 'telephony.receiveCarrierCallStatus',
    errors: errorsWith('NotFoundError'),
  },
  receiveCarrierMessage: {
    id: 'receive-carrier-message',
    path: '/v1/carriers/{provider}/messages',
    summary: 'An incoming message',
    ...sentAs('receiveCarrierMessage'),
    query: {},
    rpc: 'telephony.receiveCarrierMessage',
    errors: errorsWith('NotFoundError'),
  },
  receiveCarrierReport: {
    id: 'receive-carrier-report',
    path: '/v1/carriers/{provider}/statuses',
    summary: 'What became of a message that the carrier took',
    ...sentAs('receiveCarrierReport'),
    query: { message_id: 'Our id of the message, which the carrier was given with it.' },
    rpc: 'telephony.receiveCarrierReport',
    errors: errorsWith('NotFoundError'),
  },
} as const satisfies Record<CarrierRouteName, CarrierRoute>;
