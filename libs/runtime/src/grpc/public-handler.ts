import type { PublicAnswer, PublicRequest } from '@parley/proto/public';
import type { CallContext } from './call-context';

/** Serves one public request. @throws AppError, which reaches the client whole */
export type PublicHandler = (request: PublicRequest, context: CallContext) => Promise<PublicAnswer>;

/** What a public request is called in metrics, spans and logs. */
export const publicRpcName = (route: string): string => `PublicService/${route}`;
