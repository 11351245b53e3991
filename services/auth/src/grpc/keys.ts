import { ApiKeyCreate, validate } from '@parley/contract';
import { creatingRequest } from '@parley/service';
import {
  Key,
  ListKeysResponse,
  MintKeyResponse,
  NoteKeysUsedResponse,
  Principal,
  VerifyTokensResponse,
  type AuthServiceServer,
  type MintKeyRequest,
} from '@parley/proto/auth';
import { throwRefusal, type Caller, type UnaryHandlers } from '@parley/runtime';
import type { Dependencies } from '../usecases/dependencies';
import type { LastUsed } from '../usecases/last-used';
import { listKeys } from '../usecases/list-keys';
import { mintKey, type MintKey } from '../usecases/mint-key';
import { revokeKey } from '../usecases/revoke-key';
import { verifyToken, verifyTokens, type VerifiedKey } from '../usecases/verify-token';
import { callerOf, organizationFor } from './caller';

type KeyHandlers = Pick<
  UnaryHandlers<AuthServiceServer>,
  'verifyToken' | 'verifyTokens' | 'noteKeysUsed' | 'mintKey' | 'listKeys' | 'revokeKey'
>;

/** Handlers of keys: verify, note as used, mint, list, revoke. */
export function keyHandlers(deps: Dependencies, used: Pick<LastUsed, 'touch'>): KeyHandlers {
  return {
    async verifyToken(request) {
      const key = await verifyToken(deps, request.token);
      used.touch(key.keyId);
      return principalOf(key);
    },

    async verifyTokens(request) {
      const keys = await verifyTokens(deps, request.tokens);
      keys.forEach((key) => key && used.touch(key.keyId));
      return VerifyTokensResponse.fromPartial({
        verifications: keys.map((key) => (key === undefined ? {} : { principal: principalOf(key) })),
      });
    },

    async noteKeysUsed(request) {
      request.keyIds.forEach((keyId) => used.touch(keyId));
      return NoteKeysUsedResponse.fromPartial({});
    },

    async mintKey(request, context) {
      const caller = callerOf(context);
      const organizationId = organizationFor(caller, request.organizationId);
      const creation = creatingRequest(organizationId, request.idempotency);
      const minted = await mintKey(deps, creation, () => mintCommand(caller, organizationId, request));
      return MintKeyResponse.fromPartial({ key: minted.record, token: minted.token, replayed: minted.replayed });
    },

    async listKeys(request, context) {
      const organizationId = organizationFor(callerOf(context), request.organizationId);
      const page = await listKeys(deps.db, organizationId, request.page);
      return ListKeysResponse.fromPartial({ keys: page.items, nextCursor: page.nextCursor });
    },

    async revokeKey(request, context) {
      const caller = callerOf(context);
      const organizationId = organizationFor(caller, request.organizationId);
      return Key.fromPartial(await revokeKey(deps.db, { caller, organizationId, keyId: request.keyId }));
    },
  };
}

const principalOf = (key: VerifiedKey): Principal =>
  Principal.fromPartial({ ...key, expiresAtMs: String(key.expiresAtMs) });

/** An empty text of the message is an absent field of the body. */
function mintCommand(caller: Caller, organizationId: string, request: MintKeyRequest): MintKey {
  throwRefusal(request.idempotency?.refusal);
  const { value } = validate(ApiKeyCreate, {
    ...(organizationId === '' ? {} : { organization_id: organizationId }),
    name: request.name,
    scopes: request.scopes,
    ...(request.expiresAt === '' ? {} : { expires_at: request.expiresAt }),
  });
  return { caller, organizationId, name: value.name, scopes: value.scopes, expiresAt: value.expires_at ?? '' };
}
