/** Credentials with fixed scopes: see docs/reference/keys.md. */

/** A self-hosted media gateway: authorizes calls, reports their lifecycle, uploads their artifacts and reads the rules of its numbers. */
export const gatewayTokenScopes = [
  'calls:authorize',
  'gateways:report',
  'artifacts:upload',
  'number-rules:read',
] as const;

/** A hosted worker: claims jobs and sends heartbeats, nothing else. */
export const hostedWorkerScopes = ['worker_jobs:claim', 'worker_jobs:heartbeat'] as const;

/** The hosted outbound gateway. */
export const hostedGatewayScopes = ['calls:authorize', 'gateways:report'] as const;
