import type { IncomingMessage, ServerResponse } from 'node:http';
import { carrierRoutes, type CarrierRouteName } from '@parley/contract';
import { AppError, unauthorized } from '@parley/errors';
import type { CarrierAnswer, CarrierWebhook } from '@parley/proto/telephony';
import type { OutgoingContext } from '@parley/runtime';
import type { Clients } from '../clients';
import { fail } from '../edge';
import { refuseContentEncoding } from '../middleware/content-encoding';
import type { Exchange } from '../middleware/exchange';
import { readBody } from '../middleware/read-body';
import { methodNotAllowed } from '../render-error';
import { parseForm } from './form';
import { publicUrlOf, type PublicAddress } from './public-url';

type Receive = (clients: Clients, webhook: CarrierWebhook, context: OutgoingContext) => Promise<CarrierAnswer>;

interface ServedWebhook {
  /** For log lines and metrics. */
  readonly id: string;
  readonly provider: string;
  readonly receive: Receive;
}

/** Whose a webhook is, telephony says, which holds the tokens. */
const receivers: Readonly<Record<CarrierRouteName, Receive>> = {
  receiveCarrierCall: ({ telephony }, webhook, context) => telephony.receiveCarrierCall(webhook, context),
  receiveCarrierCallStatus: ({ telephony }, webhook, context) => telephony.receiveCarrierCallStatus(webhook, context),
  receiveCarrierMessage: ({ telephony }, webhook, context) => telephony.receiveCarrierMessage(webhook, context),
  receiveCarrierReport: ({ telephony }, webhook, context) => telephony.receiveCarrierReport(webhook, context),
};

/** What the contract declares, by path: no key, a signature. */
const served: ReadonlyMap<string, ServedWebhook> = new Map(
  (Object.keys(receivers) as CarrierRouteName[]).flatMap((name) => {
    const { id, path, providers } = carrierRoutes[name];
    return providers.map((provider): [string, ServedWebhook] => [
      path.replace('{provider}', provider),
      { id, provider, receive: receivers[name] },
    ]);
  }),
);

export interface CarrierWebhooksParts extends PublicAddress {
  readonly clients: Clients;
}

/**
 * The webhooks of carriers (decisions section 5): a signed form in, TwiML out. What cannot be taken now is answered 503
 * webhook_retry_requested, so that the carrier sends it again; nothing of it was kept, or the same call is found again.
 */
export class CarrierWebhooks {
  constructor(private readonly parts: CarrierWebhooksParts) {}

  find(path: string): ServedWebhook | undefined {
    return served.get(path);
  }

  /** Never rejects: every outcome is an answer. */
  async serve(
    route: ServedWebhook,
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ): Promise<void> {
    exchange.route = route.id;
    try {
      if (exchange.method !== 'POST') {
        throw methodNotAllowed(['POST']);
      }
      const signature = request.headers['x-twilio-signature'];
      if (typeof signature !== 'string' || signature === '') throw unauthorized();
      refuseContentEncoding(request);
      const form = parseForm(request.headers['content-type'], await readBody(request, response));
      const webhook = { provider: route.provider, url: publicUrlOf(request, this.parts), form, signature };
      const { body } = await route.receive(this.parts.clients, webhook, exchange).catch((error: unknown) => {
        throw retryable(error, exchange);
      });
      response.writeHead(200, {
        'Content-Type': 'text/xml; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
        'X-Request-Id': exchange.requestId,
      });
      response.end(body);
    } catch (error) {
      fail(request, response, exchange, error);
    }
  }
}

/** A refusal stands; whatever else went wrong may be over when the carrier asks again. Its cause goes to the log. */
function retryable(error: unknown, exchange: Exchange): unknown {
  if (error instanceof AppError && error.status < 500) return error;
  exchange.fault = error instanceof AppError ? (error.cause ?? error) : error;
  return new AppError('webhook_retry_requested', 'the webhook cannot be taken now; send it again');
}
