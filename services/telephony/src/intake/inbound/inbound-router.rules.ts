/** Identifies who routes incoming calls and takes their lines. */
export interface Gateway {
  /** The name recorded with its calls. It is the name of the deployment, so that all tokens of a deployment are equivalent. */
  readonly router: string;
  /** All names under which its calls may be recorded. Calls from before deployments were recorded have the id of the key. */
  readonly names: readonly string[];
}

/** A caller with a gateway's credential. */
interface GatewayCaller {
  readonly kind: string;
  readonly deployment?: string | undefined;
  readonly keyId: string;
}

/** A gateway token identifies its deployment. The hosted gateway is a single one for all organizations. */
export function gatewayOf({ kind, deployment, keyId }: GatewayCaller): Gateway {
  const router = kind === 'gateway' ? `deployment:${deployment ?? ''}` : 'hosted';
  // A token without a deployment was verified by a gateway of an earlier release: it may only access the calls that its own key routed.
  return { router, names: kind === 'gateway' && deployment === undefined ? [keyId] : [router, keyId] };
}

/** The router recorded for calls that a carrier's webhook routed. The gateway to which the carrier connects the line takes it later. */
export const carrierRouter = (provider: string): string => `carrier:${provider}`;

export const isCarrierRouter = (router: string): boolean => router.startsWith('carrier:');
