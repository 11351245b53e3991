/** A caller with a gateway's credential. */
interface GatewayCaller {
  readonly kind: string;
  readonly deployment?: string | undefined;
}

/**
 * The router recorded for the calls of a media gateway: its deployment, so that all tokens of a deployment are equivalent. The hosted gateway is a single one for
 * all organizations.
 */
export const gatewayOf = ({ kind, deployment }: GatewayCaller): string =>
  kind === 'gateway' ? `deployment:${deployment ?? ''}` : 'hosted';

/** The router recorded for calls that a carrier's webhook routed. The gateway to which the carrier connects the line takes it later. */
export const carrierRouter = (provider: string): string => `carrier:${provider}`;

export const isCarrierRouter = (router: string): boolean => router.startsWith('carrier:');
