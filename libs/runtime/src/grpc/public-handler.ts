import type { PublicAnswer, PublicRequest } from '@parley/proto/public';
import type { CallContext } from './call-context';

/** Serves one public request. @throws AppError, which is returned to the client unchanged */
export type PublicHandler = (request: PublicRequest, context: CallContext) => Promise<PublicAnswer>;

/** The name of a public request in metrics, spans and logs. */
export const publicRpcName = (route: string): string => `PublicService/${route}`;
