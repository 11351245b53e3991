import type { ErrorCode } from '@parley/errors';
import {
  CarrierCallForm,
  CarrierCallStatusForm,
  CarrierMessageForm,
  CarrierMessageStatusForm,
  type CarrierForm,
} from '../objects/carrier-webhook';
import type { Class } from '../rules/class-facts';

/**
 * A webhook that carriers ask by themselves: always POST, a signed form in, TwiML out. It is no route of the others: no key, no
 * scope, no organization named, and maintenance does not stand against it.
 */
export interface CarrierRoute {
  readonly id: string;
  /** With the carrier in place of `{provider}`. */
  readonly path: `/v1/carriers/{provider}/${string}`;
  readonly providers: readonly ('twilio' | 'simulator')[];
  readonly summary: string;
  readonly form: Class<CarrierForm>;
  /** Names that the address may carry, with what they mean; the signature covers them. */
  readonly query: Readonly<Record<string, string>>;
  /** `<service>.<method>` of the gRPC call behind it. */
  readonly rpc: string;
  /** In order of status. What may be over when it is sent again is answered webhook_retry_requested. */
  readonly errors: readonly ErrorCode[];
}

const everybody = ['twilio', 'simulator'] as const;

/** The errors of every webhook, with some of its own between them. */
const errorsWith = (...own: readonly ErrorCode[]): readonly ErrorCode[] => [
  'BadRequestError',
  'UnauthorizedError',
  'not_found',
  ...own,
  'PayloadTooLargeError',
  'UnsupportedMediaTypeError',
  'webhook_retry_requested',
];

export const carrierRoutes = {
  receiveCarrierCall: {
    id: 'receive-carrier-call',
    path: '/v1/carriers/{provider}/calls',
    providers: ['twilio'],
    summary: 'An incoming call: connect the line to the media gateway, or reject it',
    form: CarrierCallForm,
    query: {},
    rpc: 'telephony.receiveCarrierCall',
    errors: errorsWith('ConflictError'),
  },
  receiveCarrierCallStatus: {
    id: 'receive-carrier-call-status',
    path: '/v1/carriers/{provider}/call-statuses',
    providers: ['twilio'],
    summary: 'What became of an incoming line: once it is closed, the call is over',
    form: CarrierCallStatusForm,
    query: {},
    rpc: 'telephony.receiveCarrierCallStatus',
    errors: errorsWith('NotFoundError'),
  },
  receiveCarrierMessage: {
    id: 'receive-carrier-message',
    path: '/v1/carriers/{provider}/messages',
    providers: everybody,
    summary: 'An incoming message',
    form: CarrierMessageForm,
    query: {},
    rpc: 'telephony.receiveCarrierMessage',
    errors: errorsWith('NotFoundError'),
  },
  receiveCarrierReport: {
    id: 'receive-carrier-report',
    path: '/v1/carriers/{provider}/statuses',
    providers: everybody,
    summary: 'What became of a message that the carrier took',
    form: CarrierMessageStatusForm,
    query: { message_id: 'Our id of the message, which the carrier was given with it.' },
    rpc: 'telephony.receiveCarrierReport',
    errors: errorsWith('NotFoundError'),
  },
} as const satisfies Record<string, CarrierRoute>;

export type CarrierRouteName = keyof typeof carrierRoutes;
