import { createHash, randomBytes } from 'node:crypto';

/** An unguessable token that contains only characters allowed in a WebSocket subprotocol and in a query string. */
export const newAdoptionToken = (): string => randomBytes(32).toString('base64url');

/** The stored form of the token. */
export const adoptionTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();
