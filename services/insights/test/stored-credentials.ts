import { AuthServiceService, ComponentCredential, type AuthServiceServer } from '@parley/proto/auth';
import { grpcService, type GrpcService } from '@parley/runtime';

/** A credential of auth. */
export interface KeptCredential {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: string;
  readonly provider: string;
  readonly secret: string;
  readonly baseUrl: string;
  readonly standby?: boolean;
}

interface Stored {
  readonly credentials: readonly KeptCredential[];
  /** The credentials that were opened. */
  readonly opened: string[];
}

/** What auth answers about credentials. */
export function storedCredentials(bench: Stored): GrpcService {
  const { openComponentCredential, findComponentCredentials } = AuthServiceService;
  return grpcService<Pick<AuthServiceServer, 'openComponentCredential' | 'findComponentCredentials'>>(
    { openComponentCredential, findComponentCredentials },
    {
      async findComponentCredentials({ organizationId, componentCredentialIds: ids }) {
        const found = bench.credentials.filter((one) => one.organizationId === organizationId && ids.includes(one.id));
        const componentCredentials = found.map(({ id, kind, provider }) =>
          ComponentCredential.fromPartial({ componentCredentialId: id, organizationId, kind, provider }),
        );
        return { componentCredentials, standby: [] };
      },
      async openComponentCredential({ organizationId, kind, provider, componentCredentialId: id, purpose }) {
        bench.opened.push(`${organizationId} ${kind} ${provider} ${purpose}`);
        const found = bench.credentials.find(
          (one) =>
            one.organizationId === organizationId &&
            one.kind === kind &&
            one.provider === provider &&
            (id === '' ? one.standby === true : one.id === id),
        );
        return { componentCredential: found && { componentCredentialId: found.id, ...found } };
      },
    },
  );
}
