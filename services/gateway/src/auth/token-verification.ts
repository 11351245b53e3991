import type { AuthServiceServer } from '@parley/proto/auth';
import { serviceCaller, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import type { Question, TokenVerification } from './key-lookup';

const deadlineMs = 2_000;

/** A look-up in auth. A client's disconnect does not cancel it, because other requests may share it. */
export function tokenVerification(
  auth: Pick<GrpcClient<AuthServiceServer>, 'verifyToken' | 'verifyTokens'>,
): TokenVerification {
  return {
    one: ({ token, context }) => auth.verifyToken({ token }, contextOf(context), { deadlineMs }),
    async many(questions) {
      // The batch uses the context of the request that has waited longest.
      const context = contextOf((questions[0] as Question).context);
      const tokens = questions.map(({ token }) => token);
      const { verifications } = await auth.verifyTokens({ tokens }, context, { deadlineMs });
      if (verifications.length !== tokens.length) throw new Error('auth returned a different number of tokens');
      return verifications.map(({ principal }) => principal);
    },
  };
}

const contextOf = ({ requestId, traceparent }: Question['context']): OutgoingContext => ({
  requestId,
  traceparent,
  caller: serviceCaller,
});
