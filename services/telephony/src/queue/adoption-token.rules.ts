import { createHash, randomBytes } from 'node:crypto';

/** A token that no one guesses; letters that a subprotocol and a query can hold. */
export const newAdoptionToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of it. */
export const adoptionTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();
