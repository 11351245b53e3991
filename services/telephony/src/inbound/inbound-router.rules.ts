/** Who routes incoming calls and takes their lines. */
export interface Gateway {
  /** What its calls are recorded under: its deployment's name, so that tokens of one deployment stand for each other. */
  readonly router: string;
  /** Everything that calls of it are recorded under; calls from before deployments were recorded have the key's id. */
  readonly names: readonly string[];
}

/** A caller with a gateway's credential. */
interface GatewayCaller {
  readonly kind: string;
  readonly deployment?: string | undefined;
  readonly keyId: string;
}

/** Of a gateway token its deployment; the hosted gateway is one for all organizations. */
export function gatewayOf({ kind, deployment, keyId }: GatewayCaller): Gateway {
  const router = kind === 'gateway' ? `deployment:${deployment ?? ''}` : 'hosted';
  // A token without a deployment was verified by a gateway of an earlier release: nothing is its own but what its key routed.
  return { router, names: kind === 'gateway' && deployment === undefined ? [keyId] : [router, keyId] };
}

/** Of calls that a carrier's webhook routes: the gateway that the carrier connects the line to takes it. */
export const carrierRouter = (provider: string): string => `carrier:${provider}`;

export const isCarrierRouter = (router: string): boolean => router.startsWith('carrier:');
