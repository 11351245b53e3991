/** Identifies who routes incoming calls and takes their lines. */
export interface Gateway {
  /** The name recorded on its calls: that of its deployment, so that all tokens of one deployment are equivalent. */
  readonly router: string;
  /** All names that its calls may be recorded under; calls from before deployments were recorded have the key's id. */
  readonly names: readonly string[];
}

/** A caller with a gateway's credential. */
interface GatewayCaller {
  readonly kind: string;
  readonly deployment?: string | undefined;
  readonly keyId: string;
}

/** For a gateway token its deployment; the hosted gateway is a single one for all organizations. */
export function gatewayOf({ kind, deployment, keyId }: GatewayCaller): Gateway {
  const router = kind === 'gateway' ? `deployment:${deployment ?? ''}` : 'hosted';
  // A token without a deployment was verified by a gateway of an earlier release: it only owns what its key routed.
  return { router, names: kind === 'gateway' && deployment === undefined ? [keyId] : [router, keyId] };
}

/** The router of calls routed by a carrier's webhook: the gateway that the carrier connects the line to takes it. */
export const carrierRouter = (provider: string): string => `carrier:${provider}`;

export const isCarrierRouter = (router: string): boolean => router.startsWith('carrier:');
