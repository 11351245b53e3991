import type { ErrorCode } from '@parley/errors';
import { formsOf, type CarrierName, type CarrierRouteName } from '../carriers';
import type { Class } from '../rules/class-facts';

/**
 * A webhook that carriers call: always POST, with a signed form as the request and the carrier's markup as the response. It is separate from the other routes:
 * it needs no key and no scope, the request specifies no organization, and maintenance does not affect it.
 */
export interface CarrierRoute {
  readonly id: string;
  /** `{provider}` stands for the carrier's name. */
  readonly path: `/v1/carriers/{provider}/${string}`;
  /** The carriers that send the webhook. */
  readonly providers: readonly CarrierName[];
  readonly summary: string;
  /** The forms that its carriers send; carriers with the same signature scheme usually use the same form. */
  readonly forms: readonly Class[];
  /** The query parameters of the URL with their descriptions. The signature covers them. */
  readonly query: Readonly<Record<string, string>>;
  /** The gRPC method that handles it, as `<service>.<method>`. */
  readonly rpc: string;
  /** In the order of their status. A temporary failure is returned as webhook_retry_requested, so that the carrier repeats the webhook. */
  readonly errors: readonly ErrorCode[];
}

/** The carriers that send a webhook and its forms, from the carriers' declarations. */
function sentAs(name: CarrierRouteName): Pick<CarrierRoute, 'providers' | 'forms'> {
  const forms = formsOf(name);
  return { providers: [...forms.keys()], forms: [...new Set(forms.values())] };
}

/** The errors of all webhooks, in order, with the given ones inserted. */
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
    summary: 'The status of a line: when it is closed, the call ends',
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
    summary: 'The status of a message that the carrier accepted',
    ...sentAs('receiveCarrierReport'),
    query: { message_id: 'Our id of the message, which the carrier was given with it.' },
    rpc: 'telephony.receiveCarrierReport',
    errors: errorsWith('NotFoundError'),
  },
} as const satisfies Record<CarrierRouteName, CarrierRoute>;
