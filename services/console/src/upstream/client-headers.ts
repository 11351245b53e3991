import { clientAddress } from '@parley/runtime';
import type { Request } from 'express';

/** Whose request the console passes on, for limits by address and the audit log. The gateway believes the address if it comes with the console's certificate. */
export function clientHeaders(request: Request, trustedProxies: number): Record<string, string> {
  const userAgent = request.get('user-agent');
  return {
    'x-forwarded-for': clientAddress(request, trustedProxies),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
  };
}
