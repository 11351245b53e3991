import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto';

/** Precedes the 32 bytes of an Ed25519 private key in DER (RFC 8410). */
const derHead = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A vault derives the same secrets at each replica; the last one is the newest. */
interface Secrets {
  derived(purpose: string): readonly Buffer[];
}

const signingKeys = (vault: Secrets): KeyObject[] =>
  vault
    .derived('adoption tokens')
    .map((seed) => createPrivateKey({ key: Buffer.concat([derHead, seed]), format: 'der', type: 'pkcs8' }));

/**
 * An unguessable token that contains only characters allowed in a WebSocket subprotocol and in a query string: 16 random bytes and their Ed25519 signature, by
 * which engines recognize it without a request.
 */
export function newAdoptionToken(vault: Secrets): string {
  const random = randomBytes(16);
  const key = signingKeys(vault).at(-1);
  if (key === undefined) throw new Error('the vault has no keys');
  return random.toString('base64url') + sign(null, random, key).toString('base64url');
}

/** The public keys of the tokens, 32 bytes each in base64url. */
export const adoptionTokenKeys = (vault: Secrets): string[] =>
  signingKeys(vault).map((key) => createPublicKey(key).export({ format: 'jwk' }).x ?? '');

/** The stored form of the token. */
export const adoptionTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The stored form of a token that is given to no stream. */
export const noAdoptionToken = (): Buffer => randomBytes(32);
