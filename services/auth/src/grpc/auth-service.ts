import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { grpcService, type GrpcService } from '@parley/runtime';
import type { Dependencies } from '../usecases/dependencies';
import type { LastUsed } from '../usecases/last-used';
import { controlHandlers } from './control';
import { credentialHandlers } from './credentials';
import { keyHandlers } from './keys';
import { organizationHandlers } from './organizations';

/** parley.auth.v1.AuthService. */
export function authService(deps: Dependencies, used: Pick<LastUsed, 'touch'>): GrpcService {
  return grpcService<AuthServiceServer>(AuthServiceService, {
    ...keyHandlers(deps, used),
    ...credentialHandlers(deps),
    ...organizationHandlers(deps.db),
    ...controlHandlers(deps.db),
  });
}
